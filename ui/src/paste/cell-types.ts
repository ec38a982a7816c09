// The types of cells, as an import of CSV takes them: a column has one type, and a number loses nothing.

export type ColumnType = 'number' | 'boolean' | 'text'

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const MISSING = /^(?:n\/?a|#n\/?a|nan|null|none|nil|-|\?|\\n)$/i

/** Returns the type that all cells of a column have; text for one without cells. `delimiter` is that of the table. */
export function columnTypeOf(cells: readonly string[], delimiter: string): ColumnType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'text'
  const missing = filled.filter((cell) => MISSING.test(cell)).length
  const commas = filled.filter((cell) => COMMA.test(cell))
  const isDecimal = (cell: string) => delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell)
  const numbers = filled.filter(isNumber)
  // 1,250 may be a thousand; 1,5 is not, unless others have a point.
  const hasCommas = commas.some(isDecimal) && !numbers.some((cell) => cell.includes('.'))
  const all = numbers.length + missing + (hasCommas ? commas.length : 0)
  if (all === filled.length && missing < filled.length) return 'number'
  return filled.every((cell) => /^(?:true|false)$/i.test(cell)) ? 'boolean' : 'text'
}

/** False for 007, and for integers that would be rounded. */
function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns the value of a cell; undefined for an empty one, and for NA and the like among numbers. */
export function valueOfCell(cell: string, type: ColumnType): string | number | boolean | undefined {
  if (cell === '') return undefined
  if (type === 'boolean') return cell.toLowerCase() === 'true'
  if (type === 'text') return unescaped(cell)
  const number = Number(cell.replace(',', '.'))
  return Number.isNaN(number) ? undefined : number
}

/** Removes the apostrophe with which exports keep spreadsheets from running a text as a formula. */
export function unescaped(cell: string) {
  return /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
