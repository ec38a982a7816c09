import { Text } from '@mantine/core'
import { text } from '../text/index.ts'

/** A name in the audit log. The API returns erased names as empty strings. */
export function Name({ name }: { name: string }) {
  if (name !== '') return name
  return (
    <Text span inherit fs="italic" c="dimmed">
      {text.audits.erased}
    </Text>
  )
}
