import {
  countCell,
  type Decimal,
  decimalOf,
  isClear,
  isLocalNumber,
  isMissing,
  isNumber,
  noCells,
  numberIn,
  typeOf
} from '../../../graph/formats/shared/cell-types.ts'

// Cells get the same types as in a CSV import. Each column has one type, and numbers must be exact. If an attribute already has
// values, its column gets their type. Lists, objects and null are written as JSON.

export type ColumnType = 'number' | 'boolean' | 'text' | 'json'

function countsOf(cells: readonly string[], delimiter: string) {
  const counts = noCells()
  for (const cell of cells) countCell(counts, cell, delimiter)
  return counts
}

/** Returns the type that fits all cells of a column, or text if all cells are empty. `delimiter` is the table's delimiter. */
export function columnTypeOf(cells: readonly string[], delimiter: string): ColumnType {
  return typeOf('', countsOf(cells, delimiter))
}

/** Returns the decimal sign of the numbers in a column, or undefined if it is unclear. */
export function decimalIn(cells: readonly string[], delimiter: string): Decimal | undefined {
  const counts = countsOf(cells, delimiter)
  return isClear(counts) ? decimalOf(counts) : undefined
}

/** Returns a predicate that reports whether a cell of this column can be parsed as the type. Empty cells always can. */
export function fitFor(cells: readonly string[], type: ColumnType, delimiter: string): (cell: string) => boolean {
  if (type === 'text') return () => true
  if (type === 'boolean') return (cell) => /^(?:true|false)?$/i.test(cell)
  if (type === 'json') return (cell) => cell === '' || typeOfValue(parsed(cell)) === 'json'
  const isNumeric = decimalIn(cells, delimiter) !== undefined
  return (cell) => isNumber(cell) || isMissing(cell) || (isNumeric && isLocalNumber(cell))
}

/** Returns the type of a value. */
export function typeOfValue(value: unknown): ColumnType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Returns whether an export would write this value as this cell. */
export function isShownBy(value: unknown, cell: string): boolean {
  return (typeof value === 'string' ? value : JSON.stringify(value)) === unescaped(cell)
}

/** Parses text as JSON, or returns it unchanged if it is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the value of a cell, or undefined if the cell is empty or is a word such as NA among numbers. */
export function valueOfCell(cell: string, type: ColumnType, decimal?: Decimal): unknown {
  if (cell === '') return undefined
  if (type === 'boolean') return cell.toLowerCase() === 'true'
  if (type === 'text') return unescaped(cell)
  return type === 'json' ? parsed(cell) : numberIn(cell, decimal)
}

/** Removes the apostrophe that exports add to prevent spreadsheets from evaluating text as a formula. */
export function unescaped(cell: string) {
  return /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
