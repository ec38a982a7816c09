import type { Node } from '../../../schemas/graph-content.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import type { Losses } from '../shared/losses.ts'
import type { Row } from './csv-rows.ts'

/** An attribute column, with a type that fits all its cells. */
interface AttributeColumn {
  index: number
  name: string
  type: ColumnType
}

type ColumnType = 'number' | 'boolean' | 'text'

/** The number of cells of each form in a column. */
export interface CellCounts {
  filled: number
  numbers: number
  booleans: number
  /** Cells that represent a missing value, such as NA. */
  missing: number
  /** Numbers with a decimal comma. */
  commas: number
  /** Numbers whose comma cannot be a thousands separator: 0,125 or 1,5, but not 1,250. */
  plainCommas: number
  /** Numbers with a decimal point. */
  points: number
  /** Digits that are a code rather than a number, such as 007. */
  codes: number
}

export function noCells(): CellCounts {
  return { filled: 0, numbers: 0, booleans: 0, missing: 0, commas: 0, plainCommas: 0, points: 0, codes: 0 }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const MISSING = /^(?:n\/?a|#n\/?a|nan|null|none|nil|-|\?|\\n)$/i

/** Counts the cell. `delimiter` is the delimiter of the table. If it is a semicolon, commas are decimal commas. */
export function countCell(counts: CellCounts, cell: string, delimiter: string) {
  if (cell === '') return
  counts.filled++
  if (isNumber(cell)) {
    counts.numbers++
    if (cell.includes('.')) counts.points++
  } else if (MISSING.test(cell)) counts.missing++
  else if (COMMA.test(cell)) {
    counts.commas++
    if (delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell)) counts.plainCommas++
  } else if (/^(?:true|false)$/i.test(cell)) counts.booleans++
  else if (/^0\d+$/.test(cell)) counts.codes++
}

/** Returns the type that fits all cells of the column. */
export function typeOf(name: string, counts: CellCounts): ColumnType {
  const { filled, numbers, booleans, missing, commas, plainCommas, points } = counts
  if (filled === 0 || name === 'label' || name === 'relation') return 'text'
  const hasCommas = plainCommas > 0 && points === 0
  const all = numbers + missing + (hasCommas ? commas : 0)
  if (all === filled && missing < filled) return 'number'
  return booleans === filled ? 'boolean' : 'text'
}

/** Returns whether the cell can be read as a number without loss. 007 and integers that would be rounded cannot. */
export function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns whether the cell represents a missing value, such as NA. */
export function isMissing(cell: string) {
  return cell === '' || MISSING.test(cell)
}

/** Returns the number in a cell of a numeric column, or undefined if the value is missing. */
export function numberIn(cell: string): number | undefined {
  const number = Number(cell.includes(',') ? cell.replace(',', '.') : cell)
  return Number.isNaN(number) ? undefined : number
}

/**
 * Text that would change its meaning in a numeric column, with or without leading apostrophes. (A minus sign is escaped as a
 * formula.)
 */
const SWALLOWED = /^'*(?:n\/?a|#n\/?a|nan|null|none|nil|\?|\\n|(?:0|[1-9]\d*),\d+)$/i

/** Returns whether the text would change its meaning in a numeric column. */
export function isSwallowed(text: string) {
  return text.length < 1000 && SWALLOWED.test(text)
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
  return columns.map(({ index, name, counts }) => {
    const type = typeOf(name, counts)
    if (type === 'number') {
      losses.add('null-dropped', counts.missing)
      losses.add('decimal-comma', counts.commas)
    } else if (type === 'text' && name !== 'label' && name !== 'relation' && counts.codes === 0) {
      losses.add('number-as-text', counts.commas)
      if (counts.numbers > counts.filled / 2) losses.add('type-widened', counts.numbers)
    }
    return { index, name, type }
  })
}

/** Yields the attributes of a row. */
export function* valuesOf(
  cells: readonly string[],
  columns: readonly AttributeColumn[],
  textOf: (cell: string) => string
): Generator<[string, unknown]> {
  for (const { index, name, type } of columns) {
    if (index >= cells.length) break
    const cell = cells[index] as string
    if (cell === '') continue
    if (type === 'number') {
      const number = numberIn(cell)
      if (number !== undefined) yield [name, number]
    } else if (type === 'boolean') yield [name, cell.toLowerCase() === 'true']
    else yield [name, unmarked(textOf(cell))]
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
