import type { Edge, Node } from '../api.ts'
import { valueIn, withValue } from '../edit/values.ts'
import { type ColumnType, columnTypeOf, fitFor, isShownBy, valueOfCell } from './cell-types.ts'
import { attributeNameOf, type Role } from './column-roles.ts'
import type { PastedTable } from './pasted-table.ts'

/** A column whose cells become values of elements. */
export interface ValueColumn {
  index: number
  /** The name of the attribute, or of the member: a label, relation or position. */
  name: string
  isAttribute: boolean
  type: ColumnType
  /** Tells whether a cell can be read as the type. */
  fits: (cell: string) => boolean
}

/** Returns the columns with values. Attributes keep the type that their values have; new ones, and those with several types, have that of the cells. */
export function valueColumns(
  { header, rows, delimiter }: PastedTable,
  roles: readonly Role[],
  types: ReadonlyMap<string, ColumnType | null>
): ValueColumn[] {
  return roles.flatMap((role, index): ValueColumn[] => {
    const member = (type: ColumnType) => [{ index, name: role, isAttribute: false, type, fits: () => true }]
    if (role === 'label' || role === 'relation') return member('text')
    if (role === 'x' || role === 'y' || role === 'z') return member('number')
    if (role !== 'attribute') return []
    const name = attributeNameOf(header[index] ?? '')
    const cells = rows.map(({ cells }) => cells[index] ?? '')
    const type = types.get(name) ?? columnTypeOf(cells, delimiter)
    return [{ index, name, isAttribute: true, type, fits: fitFor(cells, type, delimiter) }]
  })
}

/** Returns the first column whose cell cannot be read as its type; undefined if all can. */
export function misfitOf(cells: readonly string[], columns: readonly ValueColumn[]): ValueColumn | undefined {
  return columns.find(({ index, fits }) => !fits(cells[index] ?? ''))
}

/** Returns the element with the values of the cells; the same object if it has them already. */
export function withCells<E extends Node | Edge>(
  element: E,
  cells: readonly string[],
  columns: readonly ValueColumn[]
): E {
  let result = element
  // Copied once for all attributes of a row, of which there may be hundreds.
  const metadata = new Map(Object.entries(element.metadata ?? {}))
  let isDescribed = false
  for (const { index, name, isAttribute, type } of columns) {
    const cell = cells[index] ?? ''
    const before = isAttribute ? metadata.get(name) : valueIn(result, name)
    const value = isShownBy(before, cell) ? undefined : valueOfCell(cell, type)
    if (value === undefined || JSON.stringify(before) === JSON.stringify(value)) continue
    if (isAttribute) {
      metadata.set(name, value)
      isDescribed = true
    } else result = withValue(result, name, value)
  }
  return isDescribed ? { ...result, metadata: Object.fromEntries(metadata) } : result
}
