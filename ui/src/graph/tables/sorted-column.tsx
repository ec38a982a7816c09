import { Text, UnstyledButton } from '@mantine/core'
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import type { TableView } from './use-tables.ts'

export type Sorting = Pick<TableView, 'sort' | 'onSort'>

/** A column header with a button that sorts by the column, and others after it. */
export function SortedColumn({
  attribute,
  sort,
  onSort,
  children
}: { attribute: Attribute; children?: ReactNode } & Sorting) {
  const { key, title, isNumber, isComputed } = attribute
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
      {children}
    </th>
  )
}
