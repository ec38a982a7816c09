import { Textarea } from '@mantine/core'
import { text } from '../text/index.ts'

/** A field for the origins of the sites that may embed a graph, one per line. */
export function OriginsField({
  hint,
  value,
  onChange
}: {
  hint: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Textarea
      label={text.links.origins}
      description={hint}
      placeholder={text.links.originsExample}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
    />
  )
}
