import { Group, TagsInput, type TagsInputProps, Text } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatNumber, text } from '../text/index.ts'
import { MAX_TAGS, tagsOf, useTags } from './tags.ts'

interface Tags {
  value: string[]
  onChange: (tags: string[]) => void
}

/** A field for tags, which suggests those of other graphs. */
export function TagsField({ value, onChange, ...input }: Omit<TagsInputProps, keyof Tags> & Tags) {
  const [isAsked, setIsAsked] = useState(false)
  const tags = useTags(isAsked)
  const counts = new Map(tags.data?.map(({ tag, count }) => [tag, count]))
  return (
    <TagsInput
      data={[...counts.keys()]}
      {...input}
      value={value}
      // Keyboards of phones do not report commas as keys.
      onChange={(tags) => onChange([...new Set(tags.flatMap(tagsOf))])}
      onFocus={() => setIsAsked(true)}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="xs" className="growing">
          <Text size="sm" className="breakable">
            {option.value}
          </Text>
          <Text size="xs" c="dimmed" aria-label={text.tags.count(counts.get(option.value) ?? 0)}>
            {formatNumber(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
      isDuplicate={(tag, others) => others.includes(tag)}
      limit={20}
      maxTags={MAX_TAGS}
      autoComplete="off"
    />
  )
}

/**
 * A field for tags in a form. The text that is being typed counts as tags at once: if it became one when the field loses the focus,
 * the button below would move away from the click.
 */
export function TagsFormField({ value, onChange, ...input }: Omit<TagsInputProps, keyof Tags> & Tags) {
  const [own, setOwn] = useState({ tags: value, typed: '' })
  // The form may have other tags meanwhile.
  const shown = String(allOf(own)) === String(value) ? own : { tags: value, typed: '' }
  // The component reports a new tag and an empty text one after the other, without a rendering between.
  const latest = useRef(shown)
  useLayoutEffect(() => {
    latest.current = shown
  })
  const change = (changes: Partial<typeof own>) => {
    latest.current = { ...latest.current, ...changes }
    setOwn(latest.current)
    onChange(allOf(latest.current))
  }
  return (
    <TagsField
      {...input}
      value={shown.tags}
      onChange={(tags) => change({ tags })}
      searchValue={shown.typed}
      onSearchChange={(typed) => change({ typed })}
      acceptValueOnBlur={false}
      // Otherwise the list lies on the buttons of the form after each tag.
      {...(shown.typed === '' && { data: [] })}
    />
  )
}

function allOf({ tags, typed }: { tags: string[]; typed: string }) {
  return [...new Set([...tags, ...tagsOf(typed)])]
}
