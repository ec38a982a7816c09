import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconDecimal } from '@tabler/icons-react'
import { text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import type { FormattedColumn } from './format-menu.tsx'
import { SortedColumn, type Sorting } from './sorted-column.tsx'
import { CHOICE, type ElementTable, selectedIn } from './use-element-table.ts'

/** The header of a table of elements, with buttons that sort the table and open the menus of number formats. */
export function ElementsHead({
  table,
  sort,
  onSort,
  onFormat
}: { table: ElementTable; onFormat: (column: FormattedColumn) => void } & Sorting) {
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
            <Column
              key={id}
              attribute={(columnDef.meta as { attribute: Attribute }).attribute}
              sort={sort}
              onSort={onSort}
              onFormat={onFormat}
            />
          )
        )}
      </tr>
    </thead>
  )
}

function Column({
  onFormat,
  ...column
}: { attribute: Attribute; onFormat: (column: FormattedColumn) => void } & Sorting) {
  const { attribute } = column
  return (
    <SortedColumn {...column}>
      {attribute.isNumber && (
        <UnstyledButton
          className="format-button"
          aria-label={text.table.format(attribute.title)}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => onFormat({ attribute, button: currentTarget })}
        >
          <IconDecimal size={16} aria-hidden />
        </UnstyledButton>
      )}
    </SortedColumn>
  )
}
