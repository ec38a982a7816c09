import { Anchor, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowsSort, IconSearch, IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatNumber, text } from '../text/index.ts'
import type { Attribute, Value } from './attributes.ts'
import type { Sort } from './view.ts'

/** The height of a row, in pixels; the same in styles.css. */
const ROW = 34

/** All nodes or all edges as a table. Renders only visible rows, so that there may be many. The first column links to the element. */
export function ElementsTable({
  caption,
  columns,
  count,
  hidden,
  selected,
  sort,
  onSort,
  onSelect
}: {
  caption: string
  columns: Attribute[]
  count: number
  hidden: ((index: number) => boolean) | undefined
  selected: number | undefined
  sort: Sort | undefined
  onSort: (sort: Sort) => void
  onSelect: (index: number) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [sought] = useDebouncedValue(typed, 150)
  const order = useDeferredValue(sort)
  const rows = useMemo(
    () => sorted(matching(columns, count, hidden, sought), columns, order),
    [columns, count, hidden, sought, order]
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12
  })
  const items = virtual.getVirtualItems()
  const [before, after] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]

  return (
    <>
      <Group px="md" py="xs" justify="space-between">
        <TextInput
          size="sm"
          aria-label={text.table.search}
          placeholder={text.table.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Text size="sm" c="dimmed" role="status">
          {text.table.shown(formatNumber(rows.length), formatNumber(count))}
        </Text>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="elements" ref={scroller} tabIndex={0} aria-label={caption}>
        <table aria-rowcount={rows.length + 1}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map(({ key, title, isNumber, isComputed }) => (
                <th
                  key={key}
                  className={isNumber ? 'number' : undefined}
                  scope="col"
                  aria-sort={sort?.column === key ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
                >
                  <UnstyledButton
                    className="sort-button"
                    onClick={() => onSort({ column: key, isDescending: sort?.column === key && !sort.isDescending })}
                  >
                    {title}{' '}
                    {isComputed && (
                      <Text span size="xs" c="dimmed">
                        {text.table.computed}{' '}
                      </Text>
                    )}
                    <SortIcon sort={sort} column={key} />
                  </UnstyledButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Space height={before} />}
            {items.map(({ index: row }) => {
              const index = rows[row] as number
              return (
                <tr key={index} aria-rowindex={row + 2} aria-selected={selected === index}>
                  {columns.map(({ key, isNumber, isComputed, read }, column) => (
                    <td key={key} className={isNumber ? 'number' : undefined}>
                      {column === 0 ? (
                        <Anchor component="button" type="button" size="sm" onClick={() => onSelect(index)}>
                          {format(read(index), isComputed)}
                        </Anchor>
                      ) : (
                        format(read(index), isComputed)
                      )}
                    </td>
                  ))}
                </tr>
              )
            })}
            {after > 0 && <Space height={after} />}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Space({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

function SortIcon({ sort, column }: { sort: Sort | undefined; column: string }) {
  const Icon = sort?.column !== column ? IconArrowsSort : sort.isDescending ? IconSortDescending : IconSortAscending
  return <Icon size={14} aria-hidden />
}

function matching(
  columns: Attribute[],
  count: number,
  hidden: ((index: number) => boolean) | undefined,
  sought: string
): number[] {
  const wanted = sought.trim().toLowerCase()
  const rows: number[] = []
  for (let index = 0; index < count; index++) {
    if (hidden?.(index)) continue
    const isMatch =
      wanted === '' ||
      columns.some(({ read }) => {
        const value = read(index)
        return value !== undefined && String(value).toLowerCase().includes(wanted)
      })
    if (isMatch) rows.push(index)
  }
  return rows
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** Sorts by the column; rows without a value come last in either direction. */
function sorted(rows: number[], columns: Attribute[], sort: Sort | undefined): number[] {
  const column = columns.find(({ key }) => key === sort?.column)
  if (!sort || !column) return rows
  const keyed = rows.map((row) => ({ row, value: column.read(row) }))
  const sign = sort.isDescending ? -1 : 1
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined)
    }
    return sign * compare(a.value, b.value)
  })
  return keyed.map(({ row }) => row)
}

function compare(a: NonNullable<Value>, b: NonNullable<Value>) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}

/** Stored numbers are shown as exactly as they are stored. */
function format(value: Value, isComputed = false) {
  return typeof value === 'number' && (isComputed || Number.isInteger(value)) ? formatNumber(value) : value
}
