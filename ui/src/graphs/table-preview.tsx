import { Box, Group, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ImportTable } from '../api.ts'
import type { Role } from '../paste/column-roles.ts'
import type { PastedTable } from '../paste/pasted-table.ts'
import { text } from '../text/index.ts'
import { rolesIn } from './table-sample.ts'

/** Shows the first rows of a table, if they are known, and the role of each column. Shows nothing of a matrix. */
export function TablePreview({
  title,
  name,
  sample,
  table,
  children
}: {
  title: string
  /** The name of the file. */
  name: string
  sample: PastedTable | undefined
  table: ImportTable
  /** Shown beside the title. */
  children?: ReactNode
}) {
  if (table.kind === 'matrix') return null
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text size="sm" fw={500} className="breakable">
          {title}
        </Text>
        {children}
      </Group>
      {sample && <FirstRows name={name} sample={sample} roles={rolesIn(sample, table)} />}
    </Box>
  )
}

function FirstRows({ name, sample, roles }: { name: string; sample: PastedTable; roles: Role[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
    <section className="table-preview" tabIndex={0} aria-label={text.import.firstRows(name)}>
      <Table fz="xs" verticalSpacing={2} withTableBorder withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            {sample.header.map((title, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be equal, and the order of columns does not change
              <Table.Th key={index} scope="col">
                {title}
                <Text size="xs" c={roles[index] === 'attribute' ? 'dimmed' : 'blue'} fw={400}>
                  {text.paste.roles[roles[index] ?? 'attribute']}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sample.rows.map(({ number, cells }) => (
            <Table.Tr key={number}>
              {sample.header.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order of columns does not change
                <Table.Td key={index}>{cells[index]}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
