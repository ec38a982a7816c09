import { Pagination, Table } from '@mantine/core'
import { useState } from 'react'
import type { GraphVersion } from '../api.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { useVersions } from './history.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { type Comparison, VersionRow } from './version-row.tsx'

const SIZE = 20

/** Lists the versions of a graph. Users can select two versions to compare and, if permitted, restore one. */
export function Versions(comparison: Comparison) {
  const { graph } = comparison
  const [page, setPage] = useState(0)
  const [restored, setRestored] = useState<GraphVersion>()
  const versions = useVersions(graph.id, { page, size: SIZE })
  if (versions.isPending) return <Loading />
  if (versions.error) return <FailureAlert error={versions.error} retry={() => versions.refetch()} />
  const { rows, total } = versions.data
  return (
    <>
      <Table verticalSpacing="xs">
        <Table.Caption className="visually-hidden">{text.history.versions}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{text.history.from}</Table.Th>
            <Table.Th scope="col">{text.history.to}</Table.Th>
            <Table.Th scope="col">{text.history.version}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <VersionRow key={row.version} {...comparison} row={row} onRestore={() => setRestored(row)} />
          ))}
        </Table.Tbody>
      </Table>
      {total > SIZE && (
        <Pagination
          m="md"
          size="sm"
          total={Math.ceil(total / SIZE)}
          value={page + 1}
          onChange={(value) => setPage(value - 1)}
          getControlProps={(control) => ({ 'aria-label': text.list[control] })}
          getItemProps={(number) => ({ 'aria-label': text.list.page(number) })}
        />
      )}
      {restored && <RestoreDialog id={graph.id} version={restored.version} onClose={() => setRestored(undefined)} />}
    </>
  )
}
