import { Checkbox, Text, UnstyledButton } from '@mantine/core'
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { text } from '../text/index.ts'
import type { Attribute } from './attributes.ts'
import { CHOICE, type ElementTable, selectedIn } from './use-element-table.ts'
import type { Sort } from './view.ts'

/** The header of a table of elements, whose buttons sort it. */
export function ElementsHead({
  table,
  sort,
  onSort
}: {
  table: ElementTable
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}) {
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

function SortedColumn({
  attribute: { key, title, isNumber, isComputed },
  sort,
  onSort
}: {
  attribute: Attribute
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}) {
  const isSorted = sort?.column === key
  const Icon = !isSorted ? IconArrowsSort : sort.isDescending ? IconSortDescending : IconSortAscending
  return (
    <th
      className={isNumber ? 'number' : undefined}
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <UnstyledButton
        className="sort-button"
        onClick={() => onSort({ column: key, isDescending: isSorted && !sort.isDescending })}
      >
        {title}{' '}
        {isComputed && (
          <Text span size="xs" c="dimmed">
            {text.table.computed}{' '}
          </Text>
        )}
        <Icon size={14} aria-hidden />
      </UnstyledButton>
    </th>
  )
}
