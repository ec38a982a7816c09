import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useRef, useState } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { EdgesBar } from '../../edit/edges-bar.tsx'
import type { TableEditor } from '../../edit/table-editor.ts'
import { useTableGrid } from '../../edit/use-table-grid.ts'
import { text } from '../../text/index.ts'
import { MarksBar } from '../marks/marks-bar.tsx'
import type { Marks } from '../marks/use-marks.ts'
import { TableBar } from './bar.tsx'
import { FormatMenu, type FormattedColumn } from './format-menu.tsx'
import { ElementsHead } from './head.tsx'
import { ElementTableRow } from './row.tsx'
import { ROW_HEIGHT, SpaceRow } from './space-row.tsx'
import { selectedIn, useElementTable } from './use-element-table.ts'
import { useRows } from './use-rows.ts'
import type { TableView } from './use-tables.ts'

interface Props extends TableView {
  of: Elements
  /** Undefined if no edit is in progress. */
  editor: TableEditor | undefined
  /** The nodes that are selected together. Absent in a table of edges. */
  marks?: Marks
  onSelect: (index: number) => void
}

/**
 * A table of all nodes or edges. Only visible rows are rendered, so that the table can be long. Each row links to its element.
 * During an edit, the table is a grid with editable cells.
 */
export function ElementsTable({
  of,
  caption,
  columns,
  count,
  hidden,
  selected,
  sort,
  editor,
  marks,
  onSort,
  onSelect
}: Props) {
  const [formatted, setFormatted] = useState<FormattedColumn>()
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, ...search } = useRows({ columns, count, hidden, sort })
  const table = useElementTable(rows, columns, editor, marks)
  const grid = useTableGrid({
    table,
    editor,
    scroller,
    scrollTo: (row) => virtual.scrollToIndex(row),
    onOpen: onSelect
  })
  /** The row of the cell being edited, which stays rendered so that the typed text is not lost. */
  const kept = grid?.edited ? rows.findIndex(({ index }) => index === grid.edited?.row) : -1
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    rangeExtractor: (range) => withRow(defaultRangeExtractor(range), kept)
  })
  const items = virtual.getVirtualItems()
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const models = table.getRowModel().rows
  /** The column that links to the element. */
  const link = columns.find(({ key }) => !editor?.mayEdit(key))?.key

  return (
    <>
      <TableBar {...search} shown={rows.length} count={count}>
        {editor && marks && <MarksBar nodes={selectedIn(table)} />}
        {editor && !marks && (
          <EdgesBar
            edges={selectedIn(table)}
            editor={editor}
            columns={columns}
            onClear={() => table.resetRowSelection(true)}
          />
        )}
      </TableBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable */}
      <section className="elements" ref={scroller} tabIndex={0} aria-label={caption} onKeyDown={grid?.onKeyDown}>
        <table
          aria-rowcount={rows.length + 1}
          {...(grid && { role: 'grid', 'aria-multiselectable': true, 'aria-describedby': grid.hintId })}
        >
          <caption className="visually-hidden">{caption}</caption>
          <ElementsHead table={table} sort={sort} onSort={onSort} onFormat={setFormatted} />
          <tbody>
            {items.map(({ index, start }, at) => {
              const row = models[index]
              const before = start - (items[at - 1]?.end ?? 0)
              return (
                row && (
                  <Fragment key={row.id}>
                    {before > 0 && <SpaceRow height={before} />}
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
            {after > 0 && <SpaceRow height={after} />}
          </tbody>
        </table>
      </section>
      {formatted && <FormatMenu of={of} {...formatted} onClose={() => setFormatted(undefined)} />}
      {grid && (
        <p id={grid.hintId} className="visually-hidden">
          {text.table.keys}
        </p>
      )}
    </>
  )
}

/** Inserts a row in order. -1 means no row. */
function withRow(rows: number[], row: number): number[] {
  return row < 0 || rows.includes(row) ? rows : [...rows, row].sort((a, b) => a - b)
}
