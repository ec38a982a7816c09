import type { Node } from '../../../schemas/graph-content.ts'
import {
  type ColumnType,
  countCell,
  type Decimal,
  decimalOf,
  isLocalNumber,
  isMissing,
  noCells,
  numberIn,
  typeOf
} from '../shared/cell-types.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import type { Losses } from '../shared/losses.ts'
import type { Row } from './csv-rows.ts'

/** An attribute column, with a type that fits all its cells. */
interface AttributeColumn {
  index: number
  name: string
  type: ColumnType
  /** The decimal separator of a numeric column. */
  decimal: Decimal
}

/** Formats a number. Integers beyond 2^53 get an exponent, as in JSON, to show that they may be rounded. */
export function numberText(value: number) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value)
}

/**
 * The first character of a cell that is text even if it looks like a number, in tables whose cells have types. It is a low
 * surrogate, which cannot begin decoded text.
 */
export const EXACT = '\udc00'

/**
 * Returns whether the meaning of the text would change in a numeric column, with or without leading apostrophes. (A minus sign
 * is escaped as a formula.)
 */
export function isSwallowed(text: string) {
  if (text === '' || text.length >= 1000) return false
  const cell = text.replace(/^'+/, '')
  if (cell === '' || cell.startsWith('-')) return false
  return isMissing(cell) || isLocalNumber(cell)
}

/** Adds an apostrophe to text that would change its meaning. Text that already starts with an apostrophe always gets another. */
export function marked(text: string, isNeeded: boolean) {
  return (isNeeded || text.startsWith("'")) && isSwallowed(text) ? `'${text}` : text
}

/** Undoes `marked`. */
function unmarked(text: string) {
  return text.startsWith("'") && isSwallowed(text) ? text.slice(1) : text
}

/** Returns the attribute columns with their types. Counts cells whose values may not be what their text suggests. */
export function attributeColumns(
  rows: readonly Row[],
  names: readonly [index: number, name: string][],
  delimiter: string,
  losses: Losses
): AttributeColumn[] {
  const columns = names.map(([index, name]) => ({ index, name, counts: noCells() })).sort((a, b) => a.index - b.index)
  for (const { cells } of rows) {
    for (const { index, counts } of columns) {
      // Rows may be shorter than the header, and there may be many columns.
      if (index >= cells.length) break
      countCell(counts, cells[index] as string, delimiter)
    }
  }
  const numeric = columns.filter(({ name, counts }) => typeOf(name, counts) === 'number').map(({ counts }) => counts)
  const usesCommas =
    numeric.some(({ plainCommas }) => plainCommas > 0) ||
    (delimiter === ';' && !numeric.some(({ plainPoints }) => plainPoints > 0))
  return columns.map(({ index, name, counts }) => {
    const type = typeOf(name, counts, usesCommas)
    const decimal = decimalOf(counts)
    if (type === 'number') {
      losses.add('null-dropped', counts.missing)
      if (decimal === ',') losses.add('decimal-comma', counts.commas)
      losses.add('thousands-separator', counts.groups + (decimal === ',' ? counts.unclearPoints : counts.commas))
    } else if (type === 'text' && name !== 'label' && name !== 'relation' && counts.codes === 0) {
      const unclear = typeOf(name, counts) === 'number' ? counts.unclearPoints : 0
      losses.add('number-as-text', counts.commas + counts.groups + unclear)
      if (counts.numbers > counts.filled / 2) losses.add('type-widened', counts.numbers - unclear)
    }
    return { index, name, type, decimal }
  })
}

/** Yields the attributes of a row. */
export function* valuesOf(
  cells: readonly string[],
  columns: readonly AttributeColumn[],
  textOf: (cell: string) => string
): Generator<[string, unknown]> {
  for (const { index, name, type, decimal } of columns) {
    if (index >= cells.length) break
    const cell = cells[index] as string
    if (cell === '') continue
    if (type === 'number') {
      const number = numberIn(cell, decimal)
      if (number !== undefined) yield [name, number]
    } else if (type === 'boolean') yield [name, cell.toLowerCase() === 'true']
    else yield [name, cell.startsWith(EXACT) ? textOf(cell) : unmarked(textOf(cell))]
  }
}

/** Returns whether the column contains numbers. Cells may be empty. */
export function isColumnOfNumbers(rows: readonly Row[], index: number, delimiter: string): boolean {
  const counts = noCells()
  for (const { cells } of rows) countCell(counts, cells[index] ?? '', delimiter)
  return typeOf('', counts) === 'number'
}

/**
 * Returns whether a row fits the columns. Extra cells must be empty. Otherwise, adds a fault for the row's node, or for a row
 * that is skipped.
 */
export function fits(cells: readonly string[], width: number, at: number, into: GraphBuilder, ...nodes: Node[]) {
  if (cells.length <= width || cells.slice(width).every((cell) => cell === '')) return true
  into.fault(at, 'too-many-cells', `has ${cells.length} cells, but there are ${width} columns`, ...nodes)
  return false
}
