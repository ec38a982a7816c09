import { Group, Pagination, Select, Table, Text, UnstyledButton } from '@mantine/core'
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Page } from '../api.ts'
import { formatNumber, text } from '../text/index.ts'
import { Loading } from './failure.tsx'
import type { ListState } from './list-state.ts'

export interface Column<Row> {
  key: string
  title: string
  /** Whether the title is only for screen readers. */
  isTitleHidden?: boolean
  /** Replaces the title in the table. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  /** Whether the API can sort by this key. */
  isSorted?: boolean
  isNumber?: boolean
  /** Whether the column is shown on narrow screens. */
  isNarrow?: boolean
}

/** A table that shows a page of records. The sort order and page are stored in the address. */
export function Records<Row>({
  caption,
  columns,
  page,
  rowKey,
  list
}: {
  caption: string
  columns: Column<Row>[]
  page: Page<Row>
  rowKey: (row: Row) => string | number
  list: ListState
}) {
  const { size, sort, correct } = list
  const pages = Math.max(1, Math.ceil(page.total / size))
  // The list may have shrunk since the address was saved.
  const isBeyond = page.rows.length === 0 && list.page >= pages
  const last = useEffectEvent(() => correct(pages - 1))
  useEffect(() => {
    if (isBeyond) last()
  }, [isBeyond])
  if (isBeyond) return <Loading />
  return (
    <>
      <Table highlightOnHover verticalSpacing="sm" className="records">
        <Table.Caption className="visually-hidden">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title, isTitleHidden, head, isSorted, isNumber, isNarrow }) => (
              <Table.Th
                key={key}
                scope="col"
                className={classOf({ isNumber, isNarrow })}
                aria-sort={sort.field === key ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
              >
                {isSorted && <SortButton title={title} field={key} list={list} />}
                {!isSorted && (head ?? <span className={isTitleHidden ? 'visually-hidden' : undefined}>{title}</span>)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {page.rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ key, cell, isNumber, isNarrow }) => (
                <Table.Td key={key} className={classOf({ isNumber, isNarrow })}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" role="status">
          {text.list.range(
            formatNumber(list.page * size + 1),
            formatNumber(list.page * size + page.rows.length),
            formatNumber(page.total)
          )}
        </Text>
        <Group gap="sm">
          <Select
            aria-label={text.list.size}
            data={['20', '50', '100']}
            value={String(size)}
            onChange={(value) => list.set({ size: value ?? undefined })}
            allowDeselect={false}
            w={80}
            size="xs"
          />
          <Pagination
            total={pages}
            value={list.page + 1}
            onChange={(value) => list.set({ page: value === 1 ? undefined : String(value - 1) })}
            size="sm"
            getControlProps={(control) => ({ 'aria-label': text.list[control] })}
            getItemProps={(number) => ({ 'aria-label': text.list.page(number) })}
          />
        </Group>
      </Group>
    </>
  )
}

function SortButton({ title, field, list: { sort, set } }: { title: string; field: string; list: ListState }) {
  const isCurrent = sort.field === field
  const Icon = !isCurrent ? IconArrowsSort : sort.direction === 'asc' ? IconSortAscending : IconSortDescending
  const next = isCurrent && sort.direction === 'asc' ? 'desc' : 'asc'
  return (
    <UnstyledButton className="sort-button" onClick={() => set({ sort: `${field},${next}` })}>
      {title} <Icon size={14} aria-hidden />
    </UnstyledButton>
  )
}

function classOf({ isNumber, isNarrow }: { isNumber?: boolean | undefined; isNarrow?: boolean | undefined }) {
  return [isNumber && 'number', !isNarrow && 'wide-only'].filter(Boolean).join(' ')
}
