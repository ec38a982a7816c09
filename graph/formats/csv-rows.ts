import { Unreadable } from './graph-builder.ts'

export interface Row {
  cells: string[]
  /** Its offset in the text. */
  at: number
}

/** The rows of delimited text (RFC 4180). Lines end with LF, CR or CRLF; empty lines are skipped. */
export function* rowsOf(text: string, delimiter: string): Generator<Row> {
  let at = 0
  const unquoted = new RegExp(`[^${delimiter === '\t' ? '\\t' : `\\${delimiter}`}\\r\\n]*`, 'y')
  while (at < text.length) {
    const start = at
    const cells: string[] = []
    for (;;) {
      if (text[at] === '"') {
        const cell = quoted(text, at)
        cells.push(cell.value)
        at = cell.end
      } else {
        unquoted.lastIndex = at
        const value = unquoted.exec(text)?.[0] ?? ''
        cells.push(value)
        at += value.length
      }
      if (text[at] !== delimiter) break
      at++
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') {
      throw new Unreadable(at, 'malformed-csv', 'follows a closing quote: a quote within a cell must be doubled')
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (cells.length > 1 || cells[0] !== '') yield { cells, at: start }
  }
}

function quoted(text: string, start: number) {
  let value = ''
  let from = start + 1
  for (;;) {
    const end = text.indexOf('"', from)
    if (end < 0) throw new Unreadable(start, 'malformed-csv', 'is a quote that is never closed')
    value += text.slice(from, end)
    if (text[end + 1] !== '"') return { value, end: end + 1 }
    value += '"'
    from = end + 2
  }
}

/**
 * Returns the most frequent delimiter of the line at `start`, outside of quotes, and the start of the table: Excel may
 * name the delimiter in a line of its own.
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
