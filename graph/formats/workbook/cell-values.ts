import { isNumber } from '../shared/cell-types.ts'
import { EXACT, numberText } from '../tables/values.ts'
import { dateText } from './dates.ts'
import type { CellStyle } from './styles.ts'

// Cells have types, whereas the table readers expect text. Text that they would read as a number is marked.

/** The maximum length of a cell in Excel, in characters. */
export const CELL_LENGTH = 32_767

/** Returns the table cell for a text cell. `isQuoted` means that the author marked it as text. */
export function textCell(text: string, isQuoted: boolean): string {
  if (text === '') return ''
  const mayChange = isQuoted || text.startsWith("'") || isNumber(text) || /^(?:true|false)$/i.test(text)
  return mayChange ? EXACT + text : text
}

/** Returns the text of a table cell. */
export function textOfCell(cell: string): string {
  return cell.startsWith(EXACT) ? cell.slice(1) : cell
}

const DECIMAL = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Returns the table cell for a cell with a number, which may be a date. */
export function numberCell(text: string, { date }: CellStyle, system: 1900 | 1904): string {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return textCell(text.trim(), false)
  return (date && dateText(number, date, system)) ?? numberText(number)
}

/** Decodes characters that XML does not allow, such as `_x0001_`. Replaces lone surrogates. */
export function decodeCell(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).toWellFormed()
    : text
}

/** Encodes characters that XML does not allow, and text that looks encoded. */
export function encodeCell(text: string): string {
  return text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    )
}
