import { Unreadable } from '../shared/graph-builder.ts'
import type { Losses } from '../shared/losses.ts'

export interface Row {
  cells: string[]
  /** The offset in the text. */
  at: number
  /** Whether the row follows an empty line, and so may begin another table. */
  isAfterGap?: true
}

/**
 * Yields the rows of delimited text (RFC 4180), starting at `start`. A row ends with LF, CR or CRLF. Skips empty lines. Skips
 * and counts rows of empty cells. Trims spaces around unquoted cells: `a, b` contains the cell `b`.
 */
export function* rowsOf(text: string, start: number, delimiter: string, losses: Losses): Generator<Row> {
  let at = start
  let isAfterGap = false
  const unquoted = new RegExp(`[^${delimiter === '\t' ? '\\t' : `\\${delimiter}`}\\r\\n]*`, 'y')
  const spaces = delimiter === ' ' ? /(?:)/y : delimiter === '\t' ? / */y : /[ \t]*/y
  while (at < text.length) {
    const rowStart = at
    const cells: string[] = []
    let isEmpty = true
    for (;;) {
      const quote = afterSpaces(text, at, spaces)
      if (text[quote] === '"') {
        const cell = quoted(text, quote)
        cells.push(cell.value)
        isEmpty = false
        at = afterSpaces(text, cell.end, spaces)
      } else {
        unquoted.lastIndex = at
        const value = unquoted.exec(text)?.[0] ?? ''
        const trimmed = value.trim()
        cells.push(trimmed)
        if (trimmed !== '') {
          isEmpty = false
          if (trimmed.length < value.length) losses.add('spaces-dropped')
        }
        at += value.length
      }
      if (text[at] !== delimiter) break
      at++
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') {
      throw new Unreadable(at, 'malformed-csv', 'follows a closing quote: double any quote inside a cell')
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (!isEmpty) yield isAfterGap ? { cells, at: rowStart, isAfterGap } : { cells, at: rowStart }
    else if (cells.length > 1) losses.add('empty-row-dropped')
    isAfterGap = isEmpty
  }
}

function afterSpaces(text: string, at: number, spaces: RegExp) {
  // Most cells do not begin with a space.
  if (text[at] !== ' ' && text[at] !== '\t') return at
  spaces.lastIndex = at
  spaces.test(text)
  return spaces.lastIndex
}

function quoted(text: string, start: number) {
  let value = ''
  let from = start + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0) throw new Unreadable(start, 'malformed-csv', 'opens a quote that is never closed')
    value += text.slice(from, end)
    if (text[end + 1] !== '"') return { value, end: end + 1 }
    value += '"'
    from = end + 2
  }
}

/**
 * Returns the delimiter that occurs most often in the line at `start`, outside quotes, and the offset at which the table starts.
 * Excel's `sep=` line takes precedence.
 */
export function delimiterOf(text: string, start: number): { delimiter: string; start: number } {
  const table = text.slice(start, start + 100_000)
  const named = /^sep=([^\r\n])\r?\n?/i.exec(table)
  if (named) return { delimiter: named[1] as string, start: start + named[0].length }
  const line = (/^[^\r\n]*/.exec(table)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length - 1 }))
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
  return { delimiter: best.delimiter, start }
}
