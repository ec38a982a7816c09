import { cellSelectionFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useEffect, useMemo, useRef } from 'react'
import type { TableEditor } from '../../edit/table-editor.ts'
import { areSameElements } from '../../edit/values.ts'
import type { Marks } from '../marks/use-marks.ts'
import type { Attribute } from '../network/attributes.ts'

const features = tableFeatures({ rowSelectionFeature, cellSelectionFeature })

/** A row, which holds only the index of a node or edge. */
interface ElementNumber {
  index: number
}

/** The id of the checkbox column. */
export const CHOICE = 'choice'

/**
 * Returns the state of a table of elements. Rows are element indexes, in table order. Selected rows and the focused cell are
 * tracked by element index. If `marks` is given, the selected rows are the nodes that are selected in the drawing. Rows are sorted
 * and filtered elsewhere, because the library's models would copy every value.
 */
export function useElementTable(
  rows: ElementNumber[],
  columns: Attribute[],
  editor: TableEditor | undefined,
  marks: Marks | undefined
) {
  const isEdited = editor !== undefined
  const elements = editor?.elements
  const definitions = useMemo(
    () => [
      ...(isEdited ? [{ id: CHOICE, accessorFn: ({ index }: ElementNumber) => index }] : []),
      ...columns.map((attribute) => ({
        id: attribute.key,
        accessorFn: ({ index }: ElementNumber) => attribute.read(index),
        meta: { attribute }
      }))
    ],
    [columns, isEdited]
  )
  const marked = marks?.marked
  const rowSelection = useMemo(
    () => marked && Object.fromEntries(Array.from(marked, (node) => [node, true as const])),
    [marked]
  )
  const table = useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: ({ index }) => String(index),
    autoResetCellSelection: false,
    enableCellRangeSelection: false,
    enableMultiCellRangeSelection: false,
    ...(rowSelection && {
      state: { rowSelection },
      onRowSelectionChange: (change) => {
        const next = typeof change === 'function' ? change(rowSelection) : change
        marks?.set(Object.keys(next).map(Number))
      }
    })
  })
  /** The elements that the selected indexes refer to. */
  const known = useRef(elements)
  // Indexes may refer to other elements after elements are added or removed, or after the edit ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table stays the same object
  useEffect(() => {
    const isSame = areSameElements(known.current, elements)
    known.current = elements
    if (isSame) return
    if (!marks) table.resetRowSelection(true)
    table.resetCellSelection(true)
  }, [elements])
  return table
}

export type ElementTable = ReturnType<typeof useElementTable>
export type ElementRow = ReturnType<ElementTable['getRowModel']>['rows'][number]
export type ElementCell = ReturnType<ElementRow['getAllCells']>[number]

/** Returns the indexes of the selected elements in the table. A filter or search may hide other selected elements. */
export function selectedIn(table: ElementTable): Set<number> {
  const { rowsById } = table.getRowModel()
  return new Set(
    table
      .getSelectedRowIds()
      .filter((id) => rowsById[id])
      .map(Number)
  )
}
