import { Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useDeferredValue, useMemo, useRef, useState } from 'react'
import { SelectionBar } from '../edit/selection-bar.tsx'
import type { TableEditor } from '../edit/table-editor.ts'
import { useTableGrid } from '../edit/use-table-grid.ts'
import { formatNumber, text } from '../text/index.ts'
import type { Attribute } from './attributes.ts'
import { matching, sorted } from './element-order.ts'
import { ElementTableRow } from './element-row.tsx'
import { ElementsHead } from './elements-head.tsx'
import { useElementTable } from './use-element-table.ts'
import type { Sort } from './view.ts'

const none: Attribute[] = []

/** The height of a row, in pixels; the same in styles.css. */
const ROW = 34

/**
 * All nodes or all edges as a table. Renders only visible rows, so that there may be many. A link leads to each element. During an edit
 * the table is a grid, whose cells and rows are changed.
 */
export function ElementsTable({
  caption,
  columns,
  count,
  hidden,
  selected,
  sort,
  editor,
  onSort,
  onSelect
}: {
  caption: string
  columns: Attribute[]
  count: number
  hidden: ((index: number) => boolean) | undefined
  selected: number | undefined
  sort: Sort | undefined
  /** Absent while nobody edits. */
  editor: TableEditor | undefined
  onSort: (sort: Sort) => void
  onSelect: (index: number) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [sought] = useDebouncedValue(typed, 150)
  const order = useDeferredValue(sort)
  // Rows that no value puts in order or picks stay the same when values change.
  const asked = order || sought.trim() !== '' ? columns : none
  const rows = useMemo(
    () => sorted(matching(asked, count, hidden, sought), asked, order).map((index) => ({ index })),
    [asked, count, hidden, sought, order]
  )
  const table = useElementTable(rows, columns, editor)
  const grid = useTableGrid({
    table,
    editor,
    scroller,
    scrollTo: (row) => virtual.scrollToIndex(row),
    onOpen: onSelect
  })
  /** The row of the cell that is being edited stays rendered: its text would be lost otherwise. */
  const kept = grid?.edited ? rows.findIndex(({ index }) => index === grid.edited?.row) : -1
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), kept)
  })
  const items = virtual.getVirtualItems()
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const models = table.getRowModel().rows
  /** The column that leads to the element. */
  const link = columns.find(({ key }) => !editor?.mayEdit(key))?.key

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
        {editor && <SelectionBar table={table} editor={editor} columns={columns} />}
        <Text size="sm" c="dimmed" role="status">
          {text.table.shown(formatNumber(rows.length), formatNumber(count))}
        </Text>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="elements" ref={scroller} tabIndex={0} aria-label={caption} onKeyDown={grid?.onKeyDown}>
        <table
          aria-rowcount={rows.length + 1}
          {...(grid && { role: 'grid', 'aria-multiselectable': true, 'aria-describedby': grid.hintId })}
        >
          <caption className="visually-hidden">{caption}</caption>
          <ElementsHead table={table} sort={sort} onSort={onSort} />
          <tbody>
            {items.map(({ index, start }, at) => {
              const row = models[index]
              const before = start - (items[at - 1]?.end ?? 0)
              return (
                row && (
                  <Fragment key={row.id}>
                    {before > 0 && <Space height={before} />}
                    <ElementTableRow
                      row={row}
                      place={index + 2}
                      isShown={selected === row.original.index}
                      link={link}
                      grid={grid}
                      onSelect={onSelect}
                    />
                  </Fragment>
                )
              )
            })}
            {after > 0 && <Space height={after} />}
          </tbody>
        </table>
      </section>
      {grid && (
        <p id={grid.hintId} className="visually-hidden">
          {text.table.keys}
        </p>
      )}
    </>
  )
}

/** Adds a row to those in order; -1 is none. */
function withRow(rows: number[], row: number): number[] {
  return row < 0 || rows.includes(row) ? rows : [...rows, row].sort((a, b) => a - b)
}

function Space({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
