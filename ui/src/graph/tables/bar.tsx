import { Group, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatNumber, text } from '../../text/index.ts'

/** The search field of a table, and the number of visible rows. */
export function TableBar({
  typed,
  onType,
  shown,
  count,
  children
}: {
  typed: string
  onType: (typed: string) => void
  shown: number
  count: number
  children?: ReactNode
}) {
  return (
    <Group px="md" py="xs" justify="space-between">
      <TextInput
        size="sm"
        aria-label={text.table.search}
        placeholder={text.table.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {children}
      <Text size="sm" c="dimmed" role="status">
        {text.table.shown(formatNumber(shown), formatNumber(count))}
      </Text>
    </Group>
  )
}
