import type { Losses } from './losses.ts'

/** What a formula begins with, in full width too: some spreadsheets take that for the same. */
const SIGNS = '=+\\-@＝＋－＠'

/** What may stand before it: white space that ends neither cell nor line, quotes, and apostrophes, be they ours. */
const BEFORE = '["\' \\v\\f\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*'

/** All else needs no closer look. */
const MAY_BE = new RegExp(`[${SIGNS}]|^'*[\\t\\r\\n]`)

/** A cell that begins with one of these has an apostrophe in front, whatever comes then. */
const BREAK = /^'*[\t\r\n]/

/**
 * Keeps spreadsheets from running text as formula: an apostrophe in front makes text of it. A cell may become several
 * where a spreadsheet goes by another delimiter than the file, so it is not only the cell's beginning that counts.
 */
export class Formulas {
  /** Where a formula might begin. */
  readonly #places: RegExp
  /** The same, if an apostrophe stands there. */
  readonly #escaped: RegExp

  /** For the cells of files with this delimiter. */
  constructor(delimiter: string) {
    const start = `(^|[;\\t\\r\\n${delimiter === '\t' ? ',' : ''}])`
    const formula = `(?=${BEFORE}[${SIGNS}])`
    this.#places = new RegExp(start + formula, 'g')
    this.#escaped = new RegExp(`${start}'${formula}`, 'g')
  }

  /** The text with an apostrophe where a formula might begin, and before what is one already. */
  escape(text: string): string {
    if (!MAY_BE.test(text)) return text
    const escaped = text.replace(this.#places, "$1'")
    return BREAK.test(escaped) ? `'${escaped}` : escaped
  }

  /** The text of a cell that was escaped so. */
  unescape(cell: string, losses: Losses): string {
    if (!cell.includes("'")) return cell
    const unbroken = cell.startsWith("'") && BREAK.test(cell) ? cell.slice(1) : cell
    const text = unbroken.replace(this.#escaped, '$1')
    if (text !== cell) losses.add('formula-unescaped')
    return text
  }
}
