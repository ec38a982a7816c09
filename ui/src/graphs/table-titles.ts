import type { ImportTable } from '../api.ts'
import { columnTypeOf } from '../paste/cell-types.ts'
import type { Table } from './items.ts'
import { columnName, hasTitles, placesIn } from './table-columns.ts'

/** The number of bytes in which the titles are expected. */
const READ = 1_000_000

/** The byte order marks of UTF-16. */
const MARKS = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] }

/**
 * Returns the content of a table with other titles for the columns that contain its ids or the ends of its edges. A table without
 * titles gets a row of them. All other bytes stay the same.
 */
export async function withTitles(
  { file, table, values }: Table,
  titles: Partial<Record<'id' | 'source' | 'target', string>>
) {
  const { columns } = table
  const places = placesIn(table)
  const chosen = Object.entries(titles).map(([role, title]) => [places[role as keyof typeof places], title] as const)
  const titleAt = (index: number) => chosen.find(([place]) => place === index)?.[1]

  const content = await inBytes(file)
  // In this encoding, each byte is one character, and delimiters and quotes are the same as in others.
  const text = new TextDecoder('latin1').decode(await content.slice(0, READ).arrayBuffer())
  const start = /^(?:ï»¿)?(?:(?:#[^\r\n]*)?[\r\n])*(?:sep=[^\r\n][\r\n]*)?/i.exec(text)?.[0].length ?? 0
  const row = rowWith(columns.length, text, start)
  if (!row) return content
  const { delimiter, cells, end } = row
  const names = cells.map(({ from, to }) => unquoted(text.slice(from, to)))
  // R omits the title of the first column.
  const missing = columns.length - cells.length
  const isBelowComment = text.slice(0, start).includes('#')
  const isTitled =
    hasTitles(table) && (!isBelowComment || names.some((name, index) => name === columns[index + missing]))
  if (!isTitled) {
    // The table has no titles, or has them in a comment.
    const others = columns.map((_, index) => titleAt(index) ?? titleOf(table, index, delimiter, values?.[index]))
    const line = others.map((title) => `"${title.replaceAll('"', '""')}"`).join(delimiter)
    return new Blob([line, '\n', content.slice(start)])
  }
  const changed = cells.map(({ from, to }, index) => titleAt(index + missing) ?? content.slice(from, to))
  const line = [...(missing === 0 ? [] : [titleAt(0) ?? '']), ...changed].flatMap((cell) => [delimiter, cell]).slice(1)
  return new Blob([content.slice(0, start), ...line, content.slice(end)])
}

/** Returns the title of a column. In a table without titles, the third column contains the weight or the relation, as in imports. */
function titleOf(table: ImportTable, index: number, delimiter: string, values: ReadonlySet<string> = new Set()) {
  if (hasTitles(table) || table.columns.length > 3) return columnName(table.columns, index)
  return columnTypeOf([...values], delimiter) === 'number' ? 'weight' : 'relation'
}

/** Returns the file in an encoding in which ASCII characters are single bytes. */
async function inBytes(file: File): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const wide = Object.entries(MARKS).find(([, mark]) => mark[0] === first && mark[1] === second)
  return wide ? new Blob([new TextDecoder(wide[0]).decode(await file.arrayBuffer())]) : file
}

/** Parses the row at `start`. Returns undefined unless it has that many cells, or one fewer, with any delimiter. */
function rowWith(width: number, text: string, start: number) {
  const rows = [',', ';', '\t', '|'].map((delimiter) => rowAt(text, start, delimiter))
  return rows.find(({ cells }) => cells.length === width) ?? rows.find(({ cells }) => cells.length === width - 1)
}

function rowAt(text: string, start: number, delimiter: string) {
  const cells: { from: number; to: number }[] = []
  const cell = new RegExp(`[ \\t]*"(?:[^"]|"")*"[^\\r\\n${delimiter}]*|[^\\r\\n${delimiter}]*`, 'y')
  let at = start
  for (;;) {
    cell.lastIndex = at
    cell.test(text)
    cells.push({ from: at, to: cell.lastIndex })
    at = cell.lastIndex
    if (text[at] !== delimiter) return { delimiter, cells, end: at }
    at++
  }
}

function unquoted(cell: string) {
  const trimmed = cell.trim()
  return trimmed.startsWith('"') ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed
}
