import { Anchor } from '@mantine/core'
import { useRef } from 'react'
import { CellEditor } from '../../edit/cell-editor.tsx'
import { lengthOf } from '../../edit/lengths.ts'
import type { TableGrid } from '../../edit/use-table-grid.ts'
import { formatNumber, text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import { textOf } from '../network/format-value.ts'
import { CHOICE, type ElementCell, type ElementRow } from './use-element-table.ts'

/** The table row of a node or edge. */
export function ElementTableRow({
  row,
  place,
  isShown,
  link,
  grid,
  onSelect
}: {
  row: ElementRow
  /** The row number, counted from 1 and including the header. */
  place: number
  /** Whether the element's details are open. */
  isShown: boolean
  /** The column that links to the element. */
  link: string | undefined
  grid: TableGrid | undefined
  onSelect: (index: number) => void
}) {
  /** The cell that had the focus when a finger touched it. */
  const touched = useRef<string>(undefined)
  const isSelected = grid ? row.getIsSelected() : isShown
  return (
    <tr aria-rowindex={place} aria-selected={isSelected} className={isShown ? 'shown' : undefined}>
      {row.getAllCells().map((cell) => {
        const attribute = attributeOf(cell)
        return (
          <td
            key={cell.column.id}
            className={attribute?.isNumber ? 'number' : undefined}
            {...(grid && {
              tabIndex: cell.getTabIndex(),
              'data-focused': cell.getIsFocused() || undefined,
              'aria-readonly': !grid.editor.mayEdit(cell.column.id),
              onFocus: () => cell.getIsFocused() || cell.table.setFocusedCell(row.id, cell.column.id),
              onDoubleClick: () => grid.begin(cell),
              onPointerDown: ({ pointerType }) => {
                touched.current = pointerType === 'touch' && cell.getIsFocused() ? cell.id : undefined
              },
              onClick: ({ target, currentTarget }) => {
                if (touched.current === cell.id && target === currentTarget) grid.begin(cell)
              }
            })}
          >
            {grid && !attribute && <RowChoice row={row} />}
            {attribute && (
              <CellContent
                cell={cell}
                attribute={attribute}
                grid={grid}
                onSelect={cell.column.id === link ? () => onSelect(row.original.index) : undefined}
              />
            )}
          </td>
        )
      })}
    </tr>
  )
}

function CellContent({
  cell,
  attribute,
  grid,
  onSelect
}: {
  cell: ElementCell
  attribute: Attribute
  grid: TableGrid | undefined
  /** Present only in the column that links to the element. */
  onSelect: (() => void) | undefined
}) {
  const index = cell.row.original.index
  const key = cell.column.id
  const shown = textOf(attribute.read(index), attribute)
  if (grid?.edited?.row === index && grid.edited.key === key) {
    const value = grid.editor.read(index, key)
    // The invisible value keeps the width of the column.
    return (
      <>
        <span className="held-value" aria-hidden>
          {shown}
        </span>
        <div className="cell-editor">
          <CellEditor
            value={value}
            typed={grid.edited.typed}
            type={value === undefined ? grid.editor.typeOf(key) : 'text'}
            label={text.edit.valueOf(attribute.title)}
            maxLength={lengthOf(key)}
            onDone={grid.done}
          />
        </div>
      </>
    )
  }
  if (!onSelect) return shown
  return (
    <Anchor component="button" type="button" size="sm" onClick={onSelect} {...(grid && { tabIndex: -1 })}>
      {shown}
    </Anchor>
  )
}

function RowChoice({ row }: { row: ElementRow }) {
  return (
    <input
      type="checkbox"
      className="row-choice"
      tabIndex={-1}
      aria-label={text.table.selectRow(formatNumber(row.original.index + 1))}
      checked={row.getIsSelected()}
      // Unlike a change event, a click event reports whether Shift is held.
      onClick={(event) =>
        row.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, shiftKey: event.shiftKey })
      }
      readOnly
    />
  )
}

function attributeOf({ column }: ElementCell): Attribute | undefined {
  return column.id === CHOICE ? undefined : (column.columnDef.meta as { attribute: Attribute }).attribute
}
