import { Box, NativeSelect, Table, Text } from '@mantine/core'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import type { Role } from './column-roles.ts'
import type { PastedTable } from './pasted-table.ts'

const allRoles = optionsOf(text.paste.roles)

/** Lists the columns of a pasted table, each with its first cells and a field for its role. */
export function PasteColumns({
  table: { header, rows },
  roles,
  onChoose
}: {
  table: PastedTable
  roles: Role[]
  onChoose: (roles: Role[]) => void
}) {
  return (
    <Box mah={240} className="scrolling" tabIndex={0}>
      <Table verticalSpacing={4} stickyHeader>
        <Table.Caption className="visually-hidden">{text.paste.columns}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.table.column}</Table.Th>
            <Table.Th scope="col">{text.paste.role}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {header.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the order of columns does not change
            <Table.Tr key={index}>
              <Table.Th scope="row" className="breakable">
                {name}
                <Text size="xs" c="dimmed">
                  {rows
                    .slice(0, 3)
                    .map(({ cells }) => (cells[index] ?? '').slice(0, 40))
                    .filter(Boolean)
                    .join(', ')}
                </Text>
              </Table.Th>
              <Table.Td>
                <NativeSelect
                  size="xs"
                  miw={132}
                  aria-label={text.paste.roleOf(name)}
                  data={allRoles}
                  value={roles[index] ?? 'none'}
                  onChange={(event) => onChoose(roles.with(index, event.currentTarget.value as Role))}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
