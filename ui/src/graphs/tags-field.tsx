import { Group, TagsInput, type TagsInputProps, Text } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatNumber, text } from '../text/index.ts'
import { MAX_TAGS, tagsOf, useTags } from './tags.ts'

interface Tags {
  value: string[]
  onChange: (tags: string[]) => void
}

/** A field for tags that suggests the tags of other graphs. */
export function TagsField({ value, onChange, ...input }: Omit<TagsInputProps, keyof Tags> & Tags) {
  const [isAsked, setIsAsked] = useState(false)
  const tags = useTags(isAsked)
  const counts = new Map(tags.data?.map(({ tag, count }) => [tag, count]))
  return (
    <TagsInput
      data={[...counts.keys()]}
      {...input}
      value={value}
      // Phone keyboards do not report commas as key events.
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
 * A field for tags in a form. Text is treated as tags while the user is still typing. If text became a tag only on blur, the
 * button below would move while being clicked.
 */
export function TagsFormField({ value, onChange, ...input }: Omit<TagsInputProps, keyof Tags> & Tags) {
  const [own, setOwn] = useState({ tags: value, typed: '' })
  // The form may have set different tags.
  const shown = String(allOf(own)) === String(value) ? own : { tags: value, typed: '' }
  // The component reports a new tag and then the cleared text, without rendering in between.
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
      // Otherwise, the suggestions would cover the form's buttons after each tag.
      {...(shown.typed === '' && { data: [] })}
    />
  )
}

function allOf({ tags, typed }: { tags: string[]; typed: string }) {
  return [...new Set([...tags, ...tagsOf(typed)])]
}
