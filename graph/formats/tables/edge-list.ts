import { isNumber } from '../shared/cell-types.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { decodeText } from '../shared/text.ts'
import type { Row } from './csv-rows.ts'
import { matrixIn } from './matrix.ts'
import { endsByName } from './names.ts'
import { ADJACENCY, readAdjacency, readDictionaries, readMultiline, wordsAndDictionary } from './networkx.ts'
import { readTable } from './reader.ts'
import { areUndirected } from './table.ts'

/**
 * A list of edges separated by spaces, as written by SNAP, KONECT, igraph and networkx: `a b` or `a b weight`, with comments
 * that start with # or %. Also reads networkx adjacency lists, a matrix of numbers, a sparse matrix in MatrixMarket format, and
 * tables written by R.
 */
export const edgeList: Format = {
  name: 'edge-list',
  title: 'edge list',
  mediaType: 'text/x-edge-list',
  endings: ['.edgelist', '.edges', '.ncol', '.el', '.mtx', '.adjlist'],
  recognises,
  read: (bytes, into) => read(decodeText(bytes, into, { isOld: true }), into)
}

/** The maximum number of lines and of characters to examine for detection. */
const LINES = 200
const CHARACTERS = 50_000
const MATRIX_MARKET = /^%%MatrixMarket[ \t]+matrix[ \t]+(\w+)[ \t]+(\w+)[ \t]+([\w-]+)/i

/**
 * Returns whether all lines have the same number of words, and the first two words are edge endpoints: either integers, or
 * names, some of which occur on both sides. In networkx's files, a dictionary follows the endpoints.
 */
function recognises(text: string) {
  const start = text.slice(0, CHARACTERS)
  if (/^[[{]/.test(start)) return false
  if (MATRIX_MARKET.test(start) || ADJACENCY.test(start)) return true
  const lines = start.split(/\r\n?|\n/)
  if (text.length > CHARACTERS) lines.pop()
  const rows = lines
    .slice(0, LINES)
    .filter((line) => !isComment(line))
    .map((line) => ({ cells: wordsOf(line), at: 0 }))
  if (rows.length > 0 && rows.every(({ cells }) => cells.length === 3 && cells[2]?.startsWith('{'))) return true
  const [first, ...below] = rows
  const width = rows.at(-1)?.cells.length ?? 0
  if (!first || width < 2 || below.some(({ cells }) => cells.length !== width)) return false
  const isHeader = first.cells.length === width && first.cells.every((cell) => !isNumber(cell))
  if (first.cells.length !== width) return first.cells.length === width - 1 && below[0]?.cells[0] === '1'
  const edges = isHeader && below.length > 0 ? below : rows
  if (edges.every(({ cells }) => cells.slice(0, 2).every((cell) => /^-?\d+$/.test(cell)))) return true
  if (matrixIn(first, rows, below) || (isHeader && endsByName(first.cells, () => false))) return true
  // Non-numeric words may be prose.
  const sources = new Set(rows.map(({ cells }) => cells[0]))
  const isData =
    rows.length > 1 && rows.every(({ cells }) => cells.slice(2).every((cell) => isNumber(cell) || cell === '{}'))
  return isData && rows.some(({ cells }) => sources.has(cells[1]))
}

function isComment(line: string) {
  return /^\s*(?:[#%]|$)/.test(line)
}

/** Splits a line at spaces and tabs outside double quotes, or at commas if it has no spaces. */
function wordsOf(line: string): string[] {
  const trimmed = line.trim()
  if (trimmed.endsWith('}') && /[\s,]\{/.test(trimmed)) return wordsAndDictionary(trimmed)
  if (!/\s/.test(trimmed) && trimmed.includes(',')) return trimmed.split(',')
  return Array.from(trimmed.matchAll(/"([^"]*)"(?=\s|$)|\S+/g), ([all, quoted]) => quoted ?? all)
}

function read(text: string, into: GraphBuilder) {
  const comments: string[] = []
  const rows: Row[] = []
  const lines = /([^\r\n]*)(?:\r\n?|\n|$)/y
  const most = Math.max(into.limits.maxEdges, into.limits.maxNodes) + 1
  while (lines.lastIndex < text.length) {
    const at = lines.lastIndex
    const line = lines.exec(text)?.[1] ?? ''
    if (!isComment(line)) {
      if (rows.length > most) throw new Unreadable(at, 'too-many-edges', `has more than ${most} rows`)
      rows.push({ cells: wordsOf(line), at })
    } else if (rows.length === 0) comments.push(line)
    else if (line.trim() === '#') {
      throw new Unreadable(at, 'other-format', 'separates nodes from edges, as in TGF: choose the format tgf')
    }
  }
  const [, layout, field, symmetry] = MATRIX_MARKET.exec(comments[0] ?? '') ?? []
  if (layout !== undefined) return readMatrixMarket(rows, `${layout} ${field}`.toLowerCase(), symmetry as string, into)
  const header = comments.join('\n')
  if (/^%[ \t]*bip\b/im.test(header)) {
    throw new Unreadable(0, 'not-allowed', 'is a KONECT bipartite network, in which both sides use the ids 1, 2, 3')
  }
  if (rows.some(({ cells }) => cells[1]?.startsWith('{'))) return readMultiline(rows, into)
  if (ADJACENCY.test(header)) return readAdjacency(rows, into)
  const isDictionary = (cell: string | undefined) => cell?.startsWith('{') && cell !== '{}'
  if (rows.some(({ cells }) => isDictionary(cells[2]))) return readDictionaries(rows, into)
  const plain = rows.map(({ cells, at }) => ({ cells: cells[2] === '{}' ? cells.slice(0, 2) : cells, at }))
  const same = (cell: string) => cell
  readTable(
    { rows: plain, delimiter: ' ', textOf: same, peek: same, isList: true, isUndirected: areUndirected(header) },
    into
  )
}

/**
 * Reads a sparse matrix in NIST's MatrixMarket format: a row of sizes, then one row per entry.
 * https://math.nist.gov/MatrixMarket/formats.html
 */
function readMatrixMarket(rows: Row[], kind: string, symmetry: string, into: GraphBuilder) {
  const [sizes, ...entries] = rows
  const [height = 0, width = 0, count] = sizes?.cells.map(Number) ?? []
  if (!/^coordinate (?:real|integer|double|pattern)$/.test(kind) || !/^(?:general|symmetric)$/i.test(symmetry)) {
    throw new Unreadable(0, 'not-allowed', 'is not a general or symmetric coordinate matrix of numbers')
  }
  if (height !== width || !Number.isSafeInteger(height)) {
    throw new Unreadable(
      sizes?.at,
      'not-allowed',
      `is a matrix of ${height} rows and ${width} columns: the matrix of a graph must be square`
    )
  }
  if (count !== entries.length) {
    const isIncomplete = count !== undefined && entries.length < count
    const detail = isIncomplete
      ? `is a matrix with only ${entries.length} of its ${count} entries`
      : `must specify the number of rows, columns and entries; the file has ${entries.length} entries`
    throw new Unreadable(sizes?.at, isIncomplete ? 'incomplete' : 'malformed', detail)
  }
  const isMirrored = /^symmetric$/i.test(symmetry) && into.direction === true
  into.directed = isMirrored || !/^symmetric$/i.test(symmetry)
  into.table = { kind: 'matrix', columns: [] }
  for (let index = 1; index <= height; index++) into.addNode(String(index), sizes?.at ?? 0)
  const isWeighted = entries.some(({ cells }) => cells.length > 2 && Number(cells[2]) !== 1)
  for (const { cells, at } of entries) {
    const [row = '', column = '', value = '1'] = cells
    const weight = Number(value)
    const isEntry = Number.isFinite(weight) && (cells.length === 3 || kind.endsWith('pattern'))
    if (!isEntry) into.fault(at, 'not-allowed', 'is not a matrix entry')
    else if (weight !== 0) {
      const attributes: [string, unknown][] = isWeighted ? [['weight', weight]] : []
      into.addEdge(row, column, at, attributes)
      if (isMirrored && row !== column) into.addEdge(column, row, at, attributes)
    }
  }
}
