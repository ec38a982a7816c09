import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { CHOICE, type ElementCell, type ElementTable } from '../graph/tables/use-element-table.ts'
import type { TableEditor } from './table-editor.ts'

/** The cell being edited, and the typed text that started the edit. */
interface Edited {
  row: number
  key: string
  typed: string | undefined
}

const directions = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const

/**
 * Controls a table by keyboard during an edit, as in a spreadsheet. The arrow keys move between cells. Enter, F2 and typing
 * edit a cell. Space selects the row, Shift+Space selects all rows from the last selected one, and Ctrl+A selects all rows.
 * Enter on a read-only cell opens its element. Returns undefined if no edit is in progress.
 */
export function useTableGrid({
  table,
  editor,
  scroller,
  scrollTo,
  onOpen
}: {
  table: ElementTable
  editor: TableEditor | undefined
  scroller: RefObject<HTMLElement | null>
  scrollTo: (row: number) => void
  /** Called to show the details of an element. */
  onOpen: (index: number) => void
}) {
  const [edited, setEdited] = useState<Edited>()
  const hintId = useId()
  const focused = table.getFocusedCell()
  /** Whether to move browser focus to the focused cell. */
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current || edited) return
    const cell = scroller.current?.querySelector<HTMLElement>('[data-focused]')
    cell?.focus()
    // A row outside the view will be rendered soon, unless it is no longer in the table.
    if (cell || !focused) isMoved.current = false
  })
  if (!editor) return undefined

  function move(direction: (typeof directions)[keyof typeof directions]) {
    table.moveCellSelection(direction)
    isMoved.current = true
    const row = table.getFocusedCell()?.row.getDisplayIndex()
    if (row !== undefined) scrollTo(row)
  }

  function begin({ row, column }: ElementCell, typed?: string) {
    if (!editor?.mayEdit(column.id)) return
    table.setFocusedCell(row.id, column.id)
    setEdited({ row: row.original.index, key: column.id, typed })
  }

  /** Ends the edit of a cell. After a key press, focus stays in the table. After a click, focus follows the pointer. */
  function done({ value, by }: { value?: { new: unknown }; by: 'down' | 'right' | 'escape' | 'blur' }) {
    if (!edited) return
    setEdited(undefined)
    if (value) editor?.set([edited.row], edited.key, value.new)
    isMoved.current = by !== 'blur'
    if (by === 'down' || by === 'right') move(by)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // The header's buttons handle their own keys.
    if (event.target !== event.currentTarget && !(event.target as Element).closest('tbody')) return
    if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return
    const { key, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    if (event.altKey || event.target instanceof HTMLSelectElement) return
    if (Object.hasOwn(directions, key) && !isCommand) move(directions[key as keyof typeof directions])
    else if (isCommand && key.toLowerCase() === 'a') table.toggleAllRowsSelected(true)
    else if (isCommand || !focused) return
    else if (key === ' ') {
      const checked = shiftKey || !focused.row.getIsSelected()
      focused.row.getToggleSelectedHandler()({ target: { checked }, shiftKey })
    } else if (key === 'Escape') table.resetRowSelection(true)
    else if (key === 'Enter' && focused.column.id !== CHOICE && !editor?.mayEdit(focused.column.id)) {
      onOpen(focused.row.original.index)
    } else if (key === 'Enter' || key === 'F2') begin(focused)
    else if (key === 'Delete' || key === 'Backspace') {
      if (editor?.mayEdit(focused.column.id)) editor.set([focused.row.original.index], focused.column.id, undefined)
    } else if ([...key].length === 1) begin(focused, key)
    else return
    event.preventDefault()
  }

  return { editor, edited, hintId, begin, done, onKeyDown }
}

export type TableGrid = NonNullable<ReturnType<typeof useTableGrid>>
