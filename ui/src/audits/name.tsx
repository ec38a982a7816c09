import { Text } from '@mantine/core'
import { text } from '../text/index.ts'

/** A name of the trail. The API leaves names empty that were erased. */
export function Name({ name }: { name: string }) {
  if (name !== '') return name
  return (
    <Text span inherit fs="italic" c="dimmed">
      {text.audits.erased}
    </Text>
  )
}
