import Papa from 'papaparse'
import { areTitles } from './column-names.ts'

/** The size limits of a pasted table. Larger tables must be imported as files. */
const MOST = { characters: 2_000_000, rows: 20_000, columns: 200 }

export interface PastedTable {
  /** The titles of the columns, or their numbers if the table has none. */
  header: string[]
  /** Whether the first row contains titles. */
  hasTitles: boolean
  /** The number and cells of each row, counted from 1. Without the titles. */
  rows: { number: number; cells: string[] }[]
  delimiter: string
}

type TableFault = 'characters' | 'rows' | 'columns' | 'quotes' | 'empty'

/**
 * Parses a table copied from a spreadsheet or CSV file. Trims cells, as an import does. `hasTitles` tells whether the first row
 * contains titles; if undefined, this is guessed.
 */
export function readTable(text: string, hasTitles?: boolean): PastedTable | TableFault {
  if (text.length > MOST.characters) return 'characters'
  const delimiter = delimiterOf(text)
  const { data: read, errors } = Papa.parse<string[]>(text, {
    delimiter,
    // Reads one row more than allowed, to detect larger tables.
    preview: MOST.rows + 2,
    transform: (cell) => cell.trim()
  })
  if (errors.some(({ type }) => type === 'Quotes')) return 'quotes'
  const rows = read
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first, ...others] = rows
  if (!first) return 'empty'
  const isTitled =
    hasTitles ??
    areTitles(
      first.cells,
      others.map(({ cells }) => cells),
      delimiter
    )
  const data = isTitled ? others : rows
  if (data.length === 0) return 'empty'
  const width = isTitled ? first.cells.length : data.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width > MOST.columns) return 'columns'
  if (data.length > MOST.rows) return 'rows'
  const header = isTitled ? first.cells : Array.from({ length: width }, (_, index) => `column ${index + 1}`)
  return { header, hasTitles: isTitled, rows: data, delimiter }
}

/** Returns the most frequent delimiter in the header outside quotes, as an import does. */
function delimiterOf(text: string): string {
  const header = (/[^\r\n]+/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}
