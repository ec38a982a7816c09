import type { Losses } from '../shared/losses.ts'

/** The first characters of formulas, also in full width, which some spreadsheets treat alike. */
const SIGNS = '=+\\-@＝＋－＠'

/** Characters that may precede a formula: white space that ends neither cell nor line, quotes, and apostrophes, including our own. */
const BEFORE = '["\' \\v\\f\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*'

/** A quick test: texts that it does not match need no escape. */
const MAY_BE = new RegExp(`[${SIGNS}]|^'*[\\t\\r\\n]`)

/** Cells that begin with these always get an apostrophe. */
const BREAK = /^'*[\t\r\n]/

/**
 * Keeps spreadsheets from running text as formulas: a leading apostrophe marks text. A spreadsheet with another
 * delimiter may split a cell, so formulas are escaped within cells as well.
 */
export class Formulas {
  /** Matches places where a formula may begin. */
  readonly #places: RegExp
  /** Matches the same places with an apostrophe. */
  readonly #escaped: RegExp

  constructor(delimiter: string) {
    const start = `(^|[;\\t\\r\\n${delimiter === '\t' ? ',' : ''}])`
    const formula = `(?=${BEFORE}[${SIGNS}])`
    this.#places = new RegExp(start + formula, 'g')
    this.#escaped = new RegExp(`${start}'${formula}`, 'g')
  }

  /** Adds an apostrophe wherever a formula may begin, and before existing ones. */
  escape(text: string): string {
    if (!MAY_BE.test(text)) return text
    const escaped = text.replace(this.#places, "$1'")
    return BREAK.test(escaped) ? `'${escaped}` : escaped
  }

  /** Reverts escape. */
  unescape(cell: string, losses: Losses): string {
    if (!cell.includes("'")) return cell
    const unbroken = cell.startsWith("'") && BREAK.test(cell) ? cell.slice(1) : cell
    const text = unbroken.replace(this.#escaped, '$1')
    if (text !== cell) losses.add('formula-unescaped')
    return text
  }
}
