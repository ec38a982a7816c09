import { Stack, Textarea, TextInput } from '@mantine/core'
import { text } from '../text/index.ts'
import type { Description } from './graphs.ts'
import { TagsFormField } from './tags-field.tsx'

/** The form fields for the description of a graph. */
export function DescriptionFields({
  value,
  isDisabled = false,
  hasKey = false,
  onChange
}: {
  value: Description
  isDisabled?: boolean
  /** Whether the key can be changed. */
  hasKey?: boolean
  onChange: (changes: Partial<Description>) => void
}) {
  return (
    <Stack>
      <TextInput
        label={text.graph.name}
        value={value.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        disabled={isDisabled}
        required
        maxLength={255}
        data-autofocus
      />
      <TextInput
        label={text.graph.type}
        description={text.graph.typeHint}
        value={value.type}
        onChange={(event) => onChange({ type: event.currentTarget.value })}
        disabled={isDisabled}
        maxLength={64}
      />
      <Textarea
        label={text.graph.description}
        value={value.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
        disabled={isDisabled}
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={8}
      />
      <TagsFormField
        label={text.graph.tags}
        description={text.graph.tagsHint}
        value={value.tags}
        onChange={(tags) => onChange({ tags })}
        disabled={isDisabled}
      />
      {hasKey && (
        <TextInput
          label={text.graph.key}
          description={text.graph.keyHint}
          value={value.key}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
          disabled={isDisabled}
          maxLength={128}
        />
      )}
    </Stack>
  )
}
