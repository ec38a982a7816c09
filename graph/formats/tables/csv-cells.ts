import { Formulas } from './csv-formulas.ts'

/**
 * Returns the text as a cell (RFC 4180). Quotes it if it contains any common delimiter, since some spreadsheets split at more
 * than one.
 */
export function cellOf(text: string): string {
  const isQuoted = /["\r\n,;\t]/.test(text) || text.trim() !== text
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

const formulas = new Formulas(',')

/** Returns the text as a cell that spreadsheets do not evaluate as a formula. A leading apostrophe marks it as text. */
export function safeCellOf(text: string): string {
  return cellOf(formulas.escape(text))
}
