import { Button, Stack } from '@mantine/core'
import { text } from '../text/index.ts'
import type { Columns } from './choices.ts'
import { ColumnChoice } from './column-choice.tsx'
import type { Table, TableGroup } from './items.ts'
import { TablePreview } from './table-preview.tsx'

/** Shows the tables of a group, each with its columns, and a button that takes it out. */
export function GroupPreview({
  parts: { nodes, edges },
  isDisabled,
  onTakeOut,
  onColumns
}: {
  parts: TableGroup
  isDisabled: boolean
  onTakeOut: (table: Table) => void
  onColumns: (table: Table, columns: Columns) => void
}) {
  return Object.entries({ nodes, edges }).map(([kind, tables]) =>
    tables.map((part) => {
      const title = text.import.preview[kind as 'nodes' | 'edges'](part.file.name)
      return (
        <Stack key={part.key} gap={4} role="group" aria-label={title}>
          <TablePreview title={title} name={part.file.name} sample={part.sample} table={part.table}>
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
          <ColumnChoice
            table={part.table}
            isKindKnown
            isDisabled={isDisabled}
            onChoose={(columns) => onColumns(part, columns)}
          />
        </Stack>
      )
    })
  )
}
