import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from '../tables/csv-rows.ts'
import { decodeCell, numberCell, textCell } from './cell-values.ts'
import type { PackageParts } from './package-parts.ts'
import { TextPieces } from './shared-strings.ts'
import type { CellStyle } from './styles.ts'

/** The maximum numbers of rows and columns in an Excel sheet. */
export const ROWS = 1_048_576
export const COLUMNS = 16_384

/** The maximum number of empty cells between filled ones in a workbook: this many, plus four for each filled cell. */
const GAPS = 4_000_000
const GAPS_PER_CELL = 4

/** Counts the cells of all sheets, so that a small file cannot use too much memory. */
export class CellCount {
  #room = GAPS

  /** Throws Unreadable if there are too many empty cells. */
  add(filled: number, empty: number, at: number | undefined) {
    this.#room += GAPS_PER_CELL * filled - empty
    if (this.#room < 0) throw new Unreadable(at, 'too-large', 'has too many empty cells between its columns')
  }
}

/** Workbook data that the cells of all sheets use. */
export interface Shared {
  texts: readonly string[]
  styles: readonly CellStyle[]
  system: 1900 | 1904
  /** Whether programs calculate all formulas when they open the workbook, so that a stored 0 may be a placeholder. */
  recalculates: boolean
}

/** The filled cells of a row, without the empty ones between them. */
interface SparseRow {
  at: number
  columns: number[]
  cells: string[]
}

const PLAIN: CellStyle = { date: undefined, isQuoted: false }

/** Reads the cells of a sheet. */
export class SheetReader {
  readonly rows: SparseRow[] = []
  /** The offsets of rows with formulas whose values are missing from the file. */
  readonly unvalued: number[] = []
  /** The number of cells with errors, such as #N/A. */
  errors = 0
  readonly #shared: Shared
  readonly #into: GraphBuilder
  readonly #text = new TextPieces()
  #isInside = false
  #row: SparseRow = { at: -1, columns: [], cells: [] }
  #column = -1
  #type = 'n'
  #style = PLAIN
  #value = ''
  #isValue = false
  #hasFormula = false
  /** The offset of the cell in the part. */
  #offset = 0

  constructor(parts: PackageParts, path: string, shared: Shared, into: GraphBuilder) {
    this.#shared = shared
    this.#into = into
    parts.read(path, {
      open: (name, attributes, end) => this.#open(name, attributes, end),
      text: (piece) => {
        if (this.#isValue) this.#value += piece
        else this.#text.add(piece)
      },
      close: (name) => this.#close(name)
    })
  }

  #open(name: string, attributes: Record<string, string>, end: number) {
    if (name === 'sheetData') this.#isInside = true
    if (!this.#isInside) return
    if (name === 'c') this.#openCell(attributes, end)
    else if (name === 'v') this.#isValue = true
    else if (name === 'f') this.#hasFormula = true
    else if (name === 'row') {
      const at = attributes.r === undefined ? this.#row.at + 1 : Number(attributes.r) - 1
      if (!(Number.isInteger(at) && at > this.#row.at && at < ROWS)) throw outOfOrder(end, 'row', attributes.r)
      this.#row = { at, columns: [], cells: [] }
      this.#column = -1
    } else this.#text.open(name)
  }

  #openCell({ r, t = 'n', s }: Record<string, string>, end: number) {
    const column = r === undefined ? this.#column + 1 : columnOf(r)
    if (!(column > this.#column && column < COLUMNS)) throw outOfOrder(end, 'cell', r)
    this.#offset = end
    this.#column = column
    this.#type = t
    this.#style = (s === undefined ? undefined : this.#shared.styles[Number(s)]) ?? PLAIN
    this.#value = ''
    this.#text.clear()
    this.#hasFormula = false
  }

  #close(name: string) {
    if (name === 'sheetData') this.#isInside = false
    if (!this.#isInside) return
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') {
      if (this.#row.cells.length > 0) this.rows.push(this.#row)
    } else this.#text.close(name)
  }

  #closeCell() {
    const cell = this.#cell()
    const isPlaceholder = this.#value === '' || (this.#value === '0' && this.#shared.recalculates)
    if (this.#hasFormula && isPlaceholder && this.#type !== 'str') this.unvalued.push(this.#row.at)
    if (cell !== '') {
      this.#row.columns.push(this.#column)
      this.#row.cells.push(cell)
    }
  }

  #cell(): string {
    const { texts, system } = this.#shared
    const { isQuoted } = this.#style
    const value = this.#value
    if (this.#type === 'inlineStr') return textCell(decodeCell(this.#text.value || value), isQuoted)
    if (value === '') return ''
    if (this.#type === 's') {
      const text = texts[Number(value)]
      if (text === undefined) {
        throw new Unreadable(this.#offset, 'malformed-xlsx', 'refers to a shared string that does not exist')
      }
      this.#into.repeat(text.length, this.#offset)
      return textCell(text, isQuoted)
    }
    if (this.#type === 'str') return textCell(decodeCell(value), isQuoted)
    if (this.#type === 'b') return /^\s*(?:1|true)\s*$/i.test(value) ? 'true' : 'false'
    if (this.#type === 'd') return value
    if (this.#type !== 'e') return numberCell(value, this.#style, system)
    this.errors++
    return ''
  }
}

/** Returns the index of the column in a reference such as `AB12`, or NaN. */
function columnOf(reference: string) {
  let column = 0
  let at = 0
  for (; at < 3; at++) {
    const letter = reference.charCodeAt(at) & ~32
    if (!(letter >= 65 && letter <= 90)) break
    column = column * 26 + letter - 64
  }
  return at === 0 ? Number.NaN : column - 1
}

function outOfOrder(end: number, what: string, reference = '') {
  const detail = `is the ${what} ${JSON.stringify(reference.slice(0, 20))}, which is out of order or does not exist in Excel`
  return new Unreadable(end, 'malformed-xlsx', detail)
}

/**
 * Returns the rows with all columns that any row uses, and the number of title rows above them, which are omitted. Throws
 * Unreadable if this would take too much memory.
 */
export function tableRows(sparse: readonly SparseRow[], count: CellCount): { rows: Row[]; titles: number } {
  const first = sparse.findIndex(({ cells }) => cells.length > 1)
  // A single cell above a table is its title.
  const titles = Math.max(0, first)
  const used = new Set<number>()
  for (const { columns } of sparse.slice(titles)) for (const column of columns) used.add(column)
  const places = new Map([...used].sort((a, b) => a - b).map((column, index) => [column, index]))
  const kept = sparse.slice(titles)
  const filled = kept.reduce((sum, { cells }) => sum + cells.length, 0)
  count.add(filled, kept.length * used.size - filled, kept[0]?.at)
  const rows = kept.map(({ at, columns, cells }) => {
    const all = new Array<string>(used.size).fill('')
    for (const [index, column] of columns.entries()) all[places.get(column) as number] = cells[index] as string
    return { cells: all, at }
  })
  return { rows, titles }
}
