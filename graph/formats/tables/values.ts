import type { Node } from '../../../schemas/graph-content.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import type { Losses } from '../shared/losses.ts'
import { groupedNumber, isErrorValue, withoutGroups } from '../shared/number-forms.ts'
import type { Row } from './csv-rows.ts'

/** An attribute column, with a type that fits all its cells. */
interface AttributeColumn {
  index: number
  name: string
  type: ColumnType
  /** The decimal sign of a numeric column. */
  decimal: Decimal
}

type ColumnType = 'number' | 'boolean' | 'text'
type Decimal = '.' | ','

/** The number of cells of each form in a column. */
export interface CellCounts {
  filled: number
  numbers: number
  booleans: number
  /** Cells that represent a missing value, such as NA. */
  missing: number
  /** Numbers with one comma, and those among them whose comma may be a thousands separator, such as 1,250. */
  commas: number
  unclearCommas: number
  /** Numbers with one point that may be a thousands separator, such as 1.250. */
  unclearPoints: number
  /** Numbers that are certain to have a decimal comma or a decimal point: 0,125, 1,5 or 1.234,5. */
  plainCommas: number
  plainPoints: number
  /** Numbers with thousands separators, and those among them whose separator is a comma or a point. */
  groups: number
  commaGroups: number
  pointGroups: number
  /** Digits that are a code rather than a number, such as 007. */
  codes: number
}

export function noCells(): CellCounts {
  const commas = { commas: 0, unclearCommas: 0, plainCommas: 0, commaGroups: 0 }
  const points = { unclearPoints: 0, plainPoints: 0, pointGroups: 0 }
  return { filled: 0, numbers: 0, booleans: 0, missing: 0, codes: 0, groups: 0, ...commas, ...points }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const MISSING = /^(?:n\/?a|nan|null|none|nil|-|\?|\\n)$/i

/** Counts the cell. `delimiter` is the delimiter of the table. If it is a semicolon, commas are decimal commas. */
export function countCell(counts: CellCounts, cell: string, delimiter: string) {
  if (cell === '') return
  counts.filled++
  if (isNumber(cell)) {
    counts.numbers++
    if (cell.includes('.')) counts[/^-?[1-9]\d{0,2}\.\d{3}$/.test(cell) ? 'unclearPoints' : 'plainPoints']++
  } else if (isMissing(cell)) counts.missing++
  else if (COMMA.test(cell)) {
    counts.commas++
    counts[delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell) ? 'plainCommas' : 'unclearCommas']++
  } else if (isGrouped(counts, cell)) counts.groups++
  else if (/^(?:true|false)$/i.test(cell)) counts.booleans++
  else if (/^0\d+$/.test(cell)) counts.codes++
}

/** Returns whether the cell is a number with thousands separators, and counts the signs in it. */
function isGrouped(counts: CellCounts, cell: string) {
  const { separator, decimal } = groupedNumber(cell) ?? {}
  if (separator === '.') counts.pointGroups++
  else if (separator === ',') counts.commaGroups++
  if (decimal !== undefined) counts[decimal === ',' ? 'plainCommas' : 'plainPoints']++
  return separator !== undefined
}

/** Returns the type that fits all cells of the column. `usesCommas` is whether other numbers in the file have decimal commas. */
export function typeOf(name: string, counts: CellCounts, usesCommas = false): ColumnType {
  const { filled, numbers, booleans, missing, commas, groups } = counts
  if (filled === 0 || name === 'label' || name === 'relation') return 'text'
  const isWhole = numbers + missing + commas + groups === filled && missing < filled
  if (isWhole && isClear(counts, usesCommas)) return 'number'
  return booleans === filled ? 'boolean' : 'text'
}

/** Returns whether all numbers have the same decimal sign. The cells 1,250 and 1.250 are clear only beside other numbers. */
function isClear(counts: CellCounts, usesCommas: boolean) {
  const { unclearCommas, plainCommas, commaGroups, unclearPoints, plainPoints, pointGroups } = counts
  if (plainCommas > 0 && plainPoints > 0) return false
  if (unclearCommas > 0 && plainCommas === 0 && commaGroups === 0) return false
  return unclearPoints === 0 || plainPoints > 0 || pointGroups > 0 || (plainCommas === 0 && !usesCommas)
}

function decimalOf({ plainCommas }: CellCounts): Decimal {
  return plainCommas > 0 ? ',' : '.'
}

/** Returns whether the cell can be read as a number without loss. 007 and integers that would be rounded cannot. */
export function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns whether the cell represents a missing value, such as NA. */
export function isMissing(cell: string) {
  return cell === '' || MISSING.test(cell) || isErrorValue(cell)
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

/** Returns the number in a cell of a numeric column, or undefined if the value is missing. */
export function numberIn(cell: string, decimal: Decimal = cell.includes(',') ? ',' : '.'): number | undefined {
  const number = decimal === '.' ? Number(cell) : Number.NaN
  const other = Number.isNaN(number) ? Number(withoutGroups(cell, decimal)) : number
  return Number.isNaN(other) ? undefined : other
}

/**
 * Returns whether the text would change its meaning in a numeric column, with or without leading apostrophes. (A minus sign is
 * escaped as a formula.)
 */
export function isSwallowed(text: string) {
  if (text === '' || text.length >= 1000) return false
  const cell = text.replace(/^'+/, '')
  if (cell === '' || cell.startsWith('-')) return false
  return isMissing(cell) || COMMA.test(cell) || groupedNumber(cell) !== undefined
}

/** Adds an apostrophe to text that would change its meaning. Text that already starts with an apostrophe always gets another. */
export function marked(text: string, isNeeded: boolean) {
  return (isNeeded || text.startsWith("'")) && isSwallowed(text) ? `'${text}` : text
}

/** Undoes `marked`. */
function unmarked(text: string) {
  return text.startsWith("'") && isSwallowed(text) ? text.slice(1) : text
}

/** Returns the attribute columns with their types. Counts cells whose values are not read as they appear. */
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
 * Returns whether a row fits into the columns. Extra cells must be empty; otherwise adds a fault of the row's node, or of a row
 * that is skipped.
 */
export function fits(cells: readonly string[], width: number, at: number, into: GraphBuilder, ...nodes: Node[]) {
  if (cells.length <= width || cells.slice(width).every((cell) => cell === '')) return true
  into.fault(at, 'too-many-cells', `has ${cells.length} cells, but there are ${width} columns`, ...nodes)
  return false
}
