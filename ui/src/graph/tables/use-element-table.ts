import { cellSelectionFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useEffect, useMemo, useRef } from 'react'
import type { TableEditor } from '../../edit/table-editor.ts'
import { areSameElements } from '../../edit/values.ts'
import type { Attribute } from '../network/attributes.ts'

const features = tableFeatures({ rowSelectionFeature, cellSelectionFeature })

/** A row: the number of a node or an edge. */
interface ElementNumber {
  index: number
}

/** The column of checkboxes. */
export const CHOICE = 'choice'

/**
 * The table of elements: its rows are their numbers in order. It holds which rows are selected and which cell has the focus, both by
 * the numbers of elements. It neither sorts nor filters: its models would keep a copy of each value.
 */
export function useElementTable(rows: ElementNumber[], columns: Attribute[], editor: TableEditor | undefined) {
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
  const table = useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: ({ index }) => String(index),
    autoResetCellSelection: false,
    enableCellRangeSelection: false,
    enableMultiCellRangeSelection: false
  })
  /** The elements of the selected numbers. */
  const known = useRef(elements)
  // A number may mean another element after a change of more than values: when some are added or removed, or the edit ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table stays the same object
  useEffect(() => {
    const isSame = areSameElements(known.current, elements)
    known.current = elements
    if (isSame) return
    table.resetRowSelection(true)
    table.resetCellSelection(true)
  }, [elements])
  return table
}

export type ElementTable = ReturnType<typeof useElementTable>
export type ElementRow = ReturnType<ElementTable['getRowModel']>['rows'][number]
export type ElementCell = ReturnType<ElementRow['getAllCells']>[number]

/** Returns the numbers of the selected elements that the table shows: others may be selected, but hidden by a filter or the search. */
export function selectedIn(table: ElementTable): Set<number> {
  const { rowsById } = table.getRowModel()
  return new Set(
    table
      .getSelectedRowIds()
      .filter((id) => rowsById[id])
      .map(Number)
  )
}
