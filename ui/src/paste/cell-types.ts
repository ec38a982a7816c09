// The types of cells, as an import of CSV takes them: a column has one type, and a number loses nothing. Where an attribute has values
// already, they give the type. Lists, objects and null are written as JSON.

export type ColumnType = 'number' | 'boolean' | 'text' | 'json'

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
const MISSING = /^(?:n\/?a|#n\/?a|nan|null|none|nil|-|\?|\\n)$/i

/** Returns the type that all cells of a column have; text for one without cells. `delimiter` is that of the table. */
export function columnTypeOf(cells: readonly string[], delimiter: string): ColumnType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'text'
  const missing = filled.filter((cell) => MISSING.test(cell)).length
  const fits = fitFor(filled, 'number', delimiter)
  if (filled.every(fits) && missing < filled.length) return 'number'
  return filled.every((cell) => /^(?:true|false)$/i.test(cell)) ? 'boolean' : 'text'
}

/** Returns what tells whether a cell of a column with these cells can be read as a value of the type. Empty cells always fit. */
export function fitFor(cells: readonly string[], type: ColumnType, delimiter: string): (cell: string) => boolean {
  if (type === 'text') return () => true
  if (type === 'boolean') return (cell) => /^(?:true|false)?$/i.test(cell)
  if (type === 'json') return (cell) => cell === '' || typeOfValue(parsed(cell)) === 'json'
  const isDecimal = (cell: string) => COMMA.test(cell) && (delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell))
  // 1,250 may be a thousand; 1,5 is not, unless others have a point.
  const hasCommas = cells.some(isDecimal) && !cells.some((cell) => isNumber(cell) && cell.includes('.'))
  return (cell) => cell === '' || isNumber(cell) || MISSING.test(cell) || (hasCommas && COMMA.test(cell))
}

/** Returns the type of a value. */
export function typeOfValue(value: unknown): ColumnType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Tells whether an export shows this value by this cell. */
export function isShownBy(value: unknown, cell: string): boolean {
  return (typeof value === 'string' ? value : JSON.stringify(value)) === unescaped(cell)
}

/** Returns the value of a text in JSON; the text itself if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** False for 007, and for integers that would be rounded. */
function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns the value of a cell; undefined for an empty one, and for NA and the like among numbers. */
export function valueOfCell(cell: string, type: ColumnType): unknown {
  if (cell === '') return undefined
  if (type === 'boolean') return cell.toLowerCase() === 'true'
  if (type === 'text') return unescaped(cell)
  if (type === 'json') return parsed(cell)
  const number = Number(cell.replace(',', '.'))
  return Number.isNaN(number) ? undefined : number
}

/** Removes the apostrophe with which exports keep spreadsheets from running a text as a formula. */
export function unescaped(cell: string) {
  return /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
