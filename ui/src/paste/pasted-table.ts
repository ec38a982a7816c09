import Papa from 'papaparse'

/** The most characters, rows and columns of a pasted table. Larger ones are imported as files. */
const MOST = { characters: 2_000_000, rows: 20_000, columns: 200 }

export interface PastedTable {
  header: string[]
  /** The cells of each row, and its number in the table: that of the header is 1. */
  rows: { number: number; cells: string[] }[]
  delimiter: string
}

type TableFault = 'characters' | 'rows' | 'columns' | 'quotes' | 'empty'

/** Reads a table with a header, as spreadsheets copy it, or as CSV. Spaces around cells are dropped, as an import drops them. */
export function readTable(text: string): PastedTable | TableFault {
  if (text.length > MOST.characters) return 'characters'
  const delimiter = delimiterOf(text)
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter,
    // One more, to notice that there are more.
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

/** The most frequent delimiter of the header, outside of quotes, as an import finds it. */
function delimiterOf(text: string): string {
  const header = (/[^\r\n]+/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}
