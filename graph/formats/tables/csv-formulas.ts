import type { Losses } from '../shared/losses.ts'

/** The characters that start a formula. Some spreadsheets also accept the full-width forms. */
const SIGNS = '=+\\-@＝＋－＠'

/** Characters that may precede a formula: white space within a cell, quotes, and apostrophes, including the ones added here. */
const BEFORE = '["\' \\v\\f\\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*'

/** A quick check: text that does not match needs no escaping. */
const MAY_BE = new RegExp(`[${SIGNS}]|^'*[\\t\\r\\n]`)

/** The beginnings of cells that always get an apostrophe. */
const BREAK = /^'*[\t\r\n]/

/**
 * Keeps spreadsheets from running text as formulas by adding apostrophes, which mark it as text. A spreadsheet may split a cell
 * at another delimiter, so formulas inside cells are also escaped.
 */
export class Formulas {
  /** Matches each position at which a formula may begin. */
  readonly #places: RegExp
  /** Matches the same positions after escaping. */
  readonly #escaped: RegExp

  constructor(delimiter: string) {
    const start = `(^|[;\\t\\r\\n${delimiter === '\t' ? ',' : ''}])`
    const formula = `(?=${BEFORE}[${SIGNS}])`
    this.#places = new RegExp(start + formula, 'g')
    this.#escaped = new RegExp(`${start}'${formula}`, 'g')
  }

  /** Adds an apostrophe wherever a formula may begin, even if one is already there. */
  escape(text: string): string {
    if (!MAY_BE.test(text)) return text
    const escaped = text.replace(this.#places, "$1'")
    return BREAK.test(escaped) ? `'${escaped}` : escaped
  }

  /** Undoes `escape` and counts the change. */
  unescape(cell: string, losses: Losses): string {
    if (!cell.includes("'")) return cell
    const unbroken = cell.startsWith("'") && BREAK.test(cell) ? cell.slice(1) : cell
    const text = unbroken.replace(this.#escaped, '$1')
    if (text !== cell) losses.add('formula-unescaped')
    return text
  }
}
