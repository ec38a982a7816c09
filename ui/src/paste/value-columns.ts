import type { Decimal } from '../../../graph/formats/shared/cell-types.ts'
import type { Edge, Node } from '../api.ts'
import { valueIn, withValue } from '../edit/values.ts'
import { type ColumnType, columnTypeOf, decimalIn, fitFor, isShownBy, valueOfCell } from './cell-types.ts'
import { attributeNameOf, type Role } from './column-roles.ts'
import type { PastedTable } from './pasted-table.ts'

/** A column whose cells become element values. */
export interface ValueColumn {
  index: number
  /** The name of an attribute, or of a member such as the label, relation or position. */
  name: string
  isAttribute: boolean
  type: ColumnType
  /** The decimal sign of numbers; undefined if it depends on the cell. */
  decimal?: Decimal | undefined
  /** Returns whether a cell can be parsed as the type. */
  fits: (cell: string) => boolean
}

/**
 * Returns the columns that contain values. Existing attributes keep their type. New attributes, and those with mixed types, get
 * the type that fits the cells.
 */
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
    const decimal = decimalIn(cells, delimiter)
    return [{ index, name, isAttribute: true, type, decimal, fits: fitFor(cells, type, delimiter) }]
  })
}

/** Returns the first column whose cell does not fit the column's type, or undefined if all cells fit. */
export function misfitOf(cells: readonly string[], columns: readonly ValueColumn[]): ValueColumn | undefined {
  return columns.find(({ index, fits }) => !fits(cells[index] ?? ''))
}

/** Returns the element with the values from the cells, or the same object if nothing changes. */
export function withCells<E extends Node | Edge>(
  element: E,
  cells: readonly string[],
  columns: readonly ValueColumn[]
): E {
  let result = element
  // Copies the metadata only once per row, because an element may have hundreds of attributes.
  const metadata = new Map(Object.entries(element.metadata ?? {}))
  let isDescribed = false
  for (const { index, name, isAttribute, type, decimal } of columns) {
    const cell = cells[index] ?? ''
    const before = isAttribute ? metadata.get(name) : valueIn(result, name)
    const value = isShownBy(before, cell) ? undefined : valueOfCell(cell, type, decimal)
    if (value === undefined || JSON.stringify(before) === JSON.stringify(value)) continue
    if (isAttribute) {
      metadata.set(name, value)
      isDescribed = true
    } else result = withValue(result, name, value)
  }
  return isDescribed ? { ...result, metadata: Object.fromEntries(metadata) } : result
}
