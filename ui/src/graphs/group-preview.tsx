import { Button } from '@mantine/core'
import type { ImportTable } from '../api.ts'
import { text } from '../text/index.ts'
import type { Table, TableGroup } from './items.ts'
import { TablePreview } from './table-preview.tsx'

/** Shows the tables of a group, each with a button that takes it out. `read` contains the columns chosen for all tables. */
export function GroupPreview({
  parts: { nodes, edges },
  read,
  isDisabled,
  onTakeOut
}: {
  parts: TableGroup
  read: ImportTable | undefined
  isDisabled: boolean
  onTakeOut: (table: Table) => void
}) {
  const isPair = nodes.length + edges.length === 2
  const { idColumn, sourceColumn, targetColumn } = (isPair && read) || {}
  const kinds = [
    { kind: 'nodes' as const, tables: nodes, chosen: idColumn !== undefined && { idColumn } },
    { kind: 'edges' as const, tables: edges, chosen: sourceColumn !== undefined && { sourceColumn, targetColumn } }
  ]
  return kinds.map(({ kind, tables, chosen }) =>
    tables.map((part) => (
      <TablePreview
        key={part.key}
        title={text.import.preview[kind](part.file.name)}
        name={part.file.name}
        sample={part.sample}
        table={{ ...part.table, ...chosen, kind }}
      >
        <Button
          variant="default"
          size="compact-xs"
          className="fixed"
          aria-label={text.import.takeOutTable(part.file.name)}
          disabled={isDisabled}
          onClick={() => onTakeOut(part)}
        >
          {text.import.takeOut}
        </Button>
      </TablePreview>
    ))
  )
}
