import { countCell, isMissing, isNumber, noCells, numberIn, typeOf } from '../shared/cell-types.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { delimiterOf, type Row } from './csv-rows.ts'

/**
 * The minimum size at which any square of numbers is treated as a matrix. A smaller square must be symmetric or have a constant
 * diagonal.
 */
const LARGE = 8

/**
 * Returns whether a table is an adjacency matrix: either it has the same names in its header and first column, or it is a
 * square of numbers. A square of fewer than three rows is treated as a list of edges. A first row of numbers is not treated as
 * names, since edges such as 1,2,3 2,3,1 3,1,2 also have the same numbers in the first row and column.
 */
export function matrixIn(first: Row, all: readonly Row[], below: readonly Row[]): 'names' | 'numbers' | undefined {
  const width = first.cells.length
  const areNumbers = first.cells.every(isNumber)
  if (below.length === width - 1 && width > 2 && below.length < all.length && !areNumbers) {
    const names = new Set(first.cells.slice(1))
    const rows = new Set(below.map(({ cells }) => cells[0] as string))
    const isSame = names.size === width - 1 && rows.size === names.size && [...rows].every((name) => names.has(name))
    if (isSame && below.every(({ cells }) => cells.slice(1).every(isCell))) return 'names'
  }
  if (width < 3 || all.length !== width) return undefined
  const isSquare = all.every(({ cells }) => cells.length === width && cells.every((cell) => isNumber(cell)))
  if (!isSquare) return undefined
  if (width >= LARGE) return 'numbers'
  const diagonal = new Set(all.map(({ cells }, index) => Number(cells[index])))
  const isPlain =
    width > 3 ? diagonal.size === 1 || isSymmetric(all) : diagonal.has(0) && diagonal.size === 1 && isSymmetric(all)
  return isPlain ? 'numbers' : undefined
}

/** Returns whether a table is a square of zeros and ones, which may be either a matrix or a list of edges. */
export function isSquareOfBits(all: readonly Row[]): boolean {
  const isBits = ({ cells }: Row) => cells.length === all.length && cells.every((cell) => cell === '0' || cell === '1')
  return all.length > 2 && all.every(isBits)
}

function isCell(cell: string) {
  return isMissing(cell) || isNumber(cell.replace(',', '.'))
}

function isSymmetric(rows: readonly Row[]) {
  return rows.every(({ cells }, row) =>
    cells.every((cell, column) => Number(cell) === Number(rows[column]?.cells[row]))
  )
}

/**
 * Reads the rows of an adjacency matrix. Each number other than 0 is an edge from its row to its column. The number is the
 * weight, unless all numbers are 1. A symmetric or triangular matrix produces an undirected graph, unless the caller chooses
 * directed edges.
 */
export function readMatrix(
  kind: 'names' | 'numbers',
  first: Row,
  rows: readonly Row[],
  textOf: (cell: string) => string,
  into: GraphBuilder
) {
  const offset = kind === 'names' ? 1 : 0
  const columns = first.cells.slice(offset)
  const names = kind === 'names' ? columns.map(textOf) : columns.map((_, index) => String(index + 1))
  const places = new Map(columns.map((name, index) => [name, index]))
  // The rows may be in a different order from the columns.
  const order = rows.map(({ cells }, index) => (offset === 1 ? (places.get(cells[0] as string) ?? index) : index))
  // Rows may be shorter than the header. Only existing cells count as work.
  into.work(rows.reduce((sum, { cells }) => sum + cells.length, names.length))
  tellCells(rows, offset, first, into)
  const values: Float64Array[] = []
  let [isWeighted, upper, lower] = [false, 0, 0]
  for (const [index, { cells, at }] of rows.entries()) {
    if (cells.length > names.length + offset) {
      throw new Unreadable(
        at,
        'too-many-cells',
        `has ${cells.length} cells, but there are ${names.length + offset} columns`
      )
    }
    const row = order[index] as number
    const numbers = new Float64Array(Math.max(0, cells.length - offset))
    for (let column = 0; column < numbers.length; column++) {
      const cell = cells[column + offset] as string
      if (isMissing(cell)) continue
      const value = numberIn(cell) ?? 0
      numbers[column] = value
      if (value !== 0 && value !== 1) isWeighted = true
      if (column > row) upper++
      else if (column < row) lower++
    }
    values[row] = numbers
  }
  const valueAt = (row: number, column: number) => values[row]?.[column] ?? 0
  const isHalf = (upper === 0) !== (lower === 0)
  const isUndirected =
    into.direction !== true &&
    (isHalf || values.every((numbers, row) => numbers.every((value, column) => value === valueAt(column, row))))
  into.directed = !isUndirected
  for (const [index, name] of names.entries()) into.addNode(name, rows[index]?.at ?? first.at)
  for (const [index, { at }] of rows.entries()) {
    const row = order[index] as number
    for (const [column, value] of (values[row] as Float64Array).entries()) {
      if (value === 0 || (isUndirected && !isHalf && column < row)) continue
      into.addEdge(names[row] as string, names[column] as string, at, isWeighted ? [['weight', value]] : [])
    }
  }
}

/** Counts missing values and decimal commas. Throws Unreadable if commas might be thousands separators. */
function tellCells(rows: readonly Row[], offset: number, first: Row, into: GraphBuilder) {
  const { delimiter } = delimiterOf(into.text, first.at)
  const counts = noCells()
  for (const { cells } of rows) {
    for (let index = offset; index < cells.length; index++) countCell(counts, cells[index] as string, delimiter)
  }
  if (counts.commas + counts.unclearPoints > 0 && typeOf('weight', counts, delimiter === ';') !== 'number') {
    const sign = counts.commas > 0 ? ',' : '.'
    const hasSign = (cell: string, index: number) => index >= offset && cell.includes(sign)
    const row = rows.find(({ cells }) => cells.some(hasSign))
    const detail =
      sign === ','
        ? `contains ${quote(row?.cells.find(hasSign))}, whose comma may or may not be a decimal comma: use a decimal point`
        : `contains ${quote(row?.cells.find(hasSign))}, whose point may or may not be a decimal point: remove thousands separators`
    throw new Unreadable(row?.at, 'not-allowed', detail)
  }
  into.losses.add('null-dropped', counts.missing)
  into.losses.add('decimal-comma', counts.commas)
}
