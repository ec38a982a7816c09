import { Checkbox } from '@mantine/core'
import { text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import { SortedColumn, type Sorting } from './sorted-column.tsx'
import { CHOICE, type ElementTable, selectedIn } from './use-element-table.ts'

/** The header of a table of elements, with buttons that sort the table. */
export function ElementsHead({ table, sort, onSort }: { table: ElementTable } & Sorting) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {table.getAllLeafColumns().map(({ id, columnDef }) =>
          id === CHOICE ? (
            <th key={id} scope="col">
              <Checkbox
                size="xs"
                aria-label={text.table.selectAll}
                checked={table.getIsAllRowsSelected()}
                indeterminate={selectedIn(table).size > 0 && !table.getIsAllRowsSelected()}
                onChange={() => table.toggleAllRowsSelected()}
              />
            </th>
          ) : (
            <SortedColumn
              key={id}
              attribute={(columnDef.meta as { attribute: Attribute }).attribute}
              sort={sort}
              onSort={onSort}
            />
          )
        )}
      </tr>
    </thead>
  )
}
