import Papa from 'papaparse'

/** The size limits of a pasted table. Larger tables must be imported as files. */
const MOST = { characters: 2_000_000, rows: 20_000, columns: 200 }

export interface PastedTable {
  header: string[]
  /** The number and cells of each row. The header is row 1. */
  rows: { number: number; cells: string[] }[]
  delimiter: string
}

type TableFault = 'characters' | 'rows' | 'columns' | 'quotes' | 'empty'

/** Parses a table with a header, copied from a spreadsheet or CSV file. Trims cells, as an import does. */
export function readTable(text: string): PastedTable | TableFault {
  if (text.length > MOST.characters) return 'characters'
  const delimiter = delimiterOf(text)
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter,
    // Reads one row more than allowed, to detect larger tables.
    preview: MOST.rows + 2,
    transform: (cell) => cell.trim()
  })
  if (errors.some(({ type }) => type === 'Quotes')) return 'quotes'
  const rows = data
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [header, ...others] = rows
  if (!header || others.length === 0) return 'empty'
  if (header.cells.length > MOST.columns) return 'columns'
  if (others.length > MOST.rows) return 'rows'
  return { header: header.cells, rows: others, delimiter }
}

/** Returns the most frequent delimiter in the header outside quotes, as an import does. */
function delimiterOf(text: string): string {
  const header = (/[^\r\n]+/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}
