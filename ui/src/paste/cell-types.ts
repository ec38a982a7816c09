import { type Decimal, decimalIn, isLocalNumber, isNumber, localNumber } from './local-numbers.ts'

// Cells get the same types as in a CSV import. Each column has one type, and numbers must be exact. If an attribute already has
// values, its column gets their type. Lists, objects and null are written as JSON.

export type ColumnType = 'number' | 'boolean' | 'text' | 'json'

const MISSING = /^(?:n\/?a|nan|null|none|nil|-|\?|\\n)$/i
/** The error values of spreadsheets, in any language. */
const ERROR =
  /^#(?:[¡¿]?\p{L}[\p{L}/0._]*[!?]|\p{L}\/\p{L}|NA|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA|#+)$|^\p{L}{2,10}[ \u00a0\u202f]?:5\d\d$/iu

/** Returns the type that fits all cells of a column, or text if all cells are empty. `delimiter` is the table's delimiter. */
export function columnTypeOf(cells: readonly string[], delimiter: string): ColumnType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'text'
  const missing = filled.filter(isMissing).length
  const fits = fitFor(filled, 'number', delimiter)
  if (filled.every(fits) && missing < filled.length) return 'number'
  return filled.every((cell) => /^(?:true|false)$/i.test(cell)) ? 'boolean' : 'text'
}

/** Returns a predicate that reports whether a cell of this column can be parsed as the type. Empty cells always can. */
export function fitFor(cells: readonly string[], type: ColumnType, delimiter: string): (cell: string) => boolean {
  if (type === 'text') return () => true
  if (type === 'boolean') return (cell) => /^(?:true|false)?$/i.test(cell)
  if (type === 'json') return (cell) => cell === '' || typeOfValue(parsed(cell)) === 'json'
  const isClear = decimalIn(cells, delimiter) !== undefined
  return (cell) => cell === '' || isNumber(cell) || isMissing(cell) || (isClear && isLocalNumber(cell))
}

function isMissing(cell: string) {
  return MISSING.test(cell) || ERROR.test(cell)
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
  if (type === 'json') return parsed(cell)
  const number = localNumber(cell, decimal)
  return Number.isNaN(number) ? undefined : number
}

/** Removes the apostrophe that exports add to prevent spreadsheets from running text as a formula. */
export function unescaped(cell: string) {
  return /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
