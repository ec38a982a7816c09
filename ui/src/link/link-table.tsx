import { Anchor } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { textOf } from '../graph/network/format-value.ts'
import { TableBar } from '../graph/tables/bar.tsx'
import { SortedColumn } from '../graph/tables/sorted-column.tsx'
import { ROW_HEIGHT, SpaceRow } from '../graph/tables/space-row.tsx'
import { useRows } from '../graph/tables/use-rows.ts'
import type { TableView } from '../graph/tables/use-tables.ts'

type Props = TableView & { onSelect: (index: number) => void }

/** A read-only table of all nodes or edges. It renders only visible rows. The first column links to the element. */
export function LinkTable({ caption, columns, count, hidden, selected, sort, onSort, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, ...search } = useRows({ columns, count, hidden, sort })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12
  })
  const items = virtual.getVirtualItems()
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <>
      <TableBar {...search} shown={rows.length} count={count} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable */}
      <section className="elements" ref={scroller} tabIndex={0} aria-label={caption}>
        <table aria-rowcount={rows.length + 1}>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((attribute) => (
                <SortedColumn key={attribute.key} attribute={attribute} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {items[0] && items[0].start > 0 && <SpaceRow height={items[0].start} />}
            {items.map(({ index }) => {
              const element = rows[index]?.index ?? 0
              const isShown = selected === element
              return (
                <tr
                  key={element}
                  aria-rowindex={index + 2}
                  aria-selected={isShown}
                  className={isShown ? 'shown' : undefined}
                >
                  {columns.map((attribute, column) => {
                    const value = textOf(attribute.read(element), attribute)
                    return (
                      <td key={attribute.key} className={attribute.isNumber ? 'number' : undefined}>
                        {column > 0 && value}
                        {column === 0 && (
                          <Anchor component="button" type="button" size="sm" onClick={() => onSelect(element)}>
                            {value}
                          </Anchor>
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
            {after > 0 && <SpaceRow height={after} />}
          </tbody>
        </table>
      </section>
    </>
  )
}
