const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COMMA = /^-?(?:0|[1-9]\d*),\d+$/
/** A number with thousands separators, but not an IP address such as 192.168.178.100. */
const GROUPED =
  /^(?!\d+(?:\.[12]\d\d){3}$)-?[1-9]\d{0,2}([ \u00a0\u2009\u202f'’.,])\d{3}(?:\1\d{3})*(?:(?!\1)([.,])\d+)?$/

export type Decimal = '.' | ','

/** Returns false for numbers such as 007, and for integers that would be rounded. */
export function isNumber(cell: string) {
  if (!NUMBER.test(cell)) return false
  const number = Number(cell)
  return Number.isFinite(number) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(number))
}

/** Returns whether the cell is a number with a comma or with thousands separators. */
export function isLocalNumber(cell: string) {
  if (COMMA.test(cell)) return true
  const [, separator, decimal] = GROUPED.exec(cell) ?? []
  return separator !== undefined && (decimal !== undefined || isNumber(cell.replace(/[^\d-]/g, '')))
}

/**
 * Returns the decimal sign of the numbers in a column, or undefined if it is unclear. The cell 1,250 may mean 1250. In a column
 * with 1,5 or 1.234,5, all commas are decimal commas.
 */
export function decimalIn(cells: readonly string[], delimiter: string): Decimal | undefined {
  const decimals = new Set<string>()
  const separators = new Set<string>()
  const unclear = new Set<string>()
  for (const cell of cells) {
    if (isNumber(cell)) {
      const signs = /^-?[1-9]\d{0,2}\.\d{3}$/.test(cell) ? unclear : decimals
      if (cell.includes('.')) signs.add('.')
    } else if (COMMA.test(cell)) {
      const signs = delimiter === ';' || /^-?0,|,(?!\d{3}$)/.test(cell) ? decimals : unclear
      signs.add(',')
    } else if (isLocalNumber(cell)) {
      const [, separator = '', decimal] = GROUPED.exec(cell) ?? []
      separators.add(separator)
      if (separator === '.') decimals.add(',')
      else if (separator === ',') decimals.add('.')
      else if (decimal !== undefined) decimals.add(decimal)
    }
  }
  const isClear =
    decimals.size < 2 &&
    (!unclear.has(',') || decimals.has(',') || separators.has(',')) &&
    (!unclear.has('.') || !decimals.has(',') || separators.has('.'))
  if (!isClear) return undefined
  return decimals.has(',') ? ',' : '.'
}

/** Parses a number. Returns NaN for other text. */
export function localNumber(cell: string, decimal: Decimal = cell.includes(',') ? ',' : '.') {
  const number = decimal === '.' ? Number(cell) : Number.NaN
  if (!Number.isNaN(number)) return number
  const separators = decimal === ',' ? /[ \u00a0\u2009\u202f'’.]/g : /[ \u00a0\u2009\u202f'’,]/g
  return Number(cell.replace(separators, '').replace(',', '.'))
}
