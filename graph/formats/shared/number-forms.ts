/**
 * An error value of Excel in any language, such as #DIV/0!, #¡VALOR! or #Н/Д, or the number signs that it shows if a column
 * is too narrow.
 */
const ERROR =
  /^#(?:[¡¿]?\p{L}[\p{L}/0._]*[!?]|\p{L}\/\p{L}|NA|NV|YOK|HIÁNYZIK|NEDOSTUPNÝ|NENÍ_K_DISPOZICI|GETTING_DATA|#+)$/iu

/** An error value of LibreOffice Calc, such as Err:502. The word depends on the language. */
const CALC_ERROR = /^\p{L}{2,10}[ \u00a0\u202f]?:5\d\d$/u

/** Returns whether the cell contains a spreadsheet's error value. */
export function isErrorValue(cell: string) {
  return cell.startsWith('#') ? ERROR.test(cell) : cell.includes(':5') && CALC_ERROR.test(cell)
}

/** The characters between groups of three digits, other than the point and the comma. */
const GAPS = " \\u00a0\\u2009\\u202f'’"

/** Excludes text such as 192.168.178.100, which may be an IP address. */
const NO_ADDRESS = '(?!\\d+(?:\\.[12]\\d\\d){3}$)'

const GROUPED = new RegExp(`^${NO_ADDRESS}-?[1-9]\\d{0,2}([${GAPS}.,])\\d{3}(?:\\1\\d{3})*(?:(?!\\1)([.,])(\\d+))?$`)

/** A number with thousands separators. */
interface GroupedNumber {
  separator: string
  /** Undefined for an integer, unless the thousands separator implies the decimal sign. */
  decimal: '.' | ',' | undefined
}

/**
 * Parses a number such as 1 234, 1'234.50 or 1.234,5. Returns undefined for other cells, and for integers that would be rounded.
 * The separator in 1.234 and 1,234 may also be a decimal sign, so callers must handle these first.
 */
export function groupedNumber(cell: string): GroupedNumber | undefined {
  const [, separator, sign, fraction] = GROUPED.exec(cell) ?? []
  if (separator === undefined) return undefined
  if (fraction === undefined && !Number.isSafeInteger(Number(cell.replace(/[^\d]/g, '')))) return undefined
  const implied = separator === '.' ? ',' : separator === ',' ? '.' : undefined
  return { separator, decimal: (sign as '.' | ',' | undefined) ?? implied }
}

const BESIDE_COMMAS = new RegExp(`[${GAPS}.]`, 'g')
const BESIDE_POINTS = new RegExp(`[${GAPS},]`, 'g')

/** Returns the number in JavaScript's notation, without thousands separators. */
export function withoutGroups(cell: string, decimal: '.' | ',') {
  return decimal === ',' ? cell.replace(BESIDE_COMMAS, '').replace(',', '.') : cell.replace(BESIDE_POINTS, '')
}
