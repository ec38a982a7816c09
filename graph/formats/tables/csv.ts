import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { Losses } from '../shared/losses.ts'
import { afterAll, decodeText } from '../shared/text.ts'
import { readTables } from './blocks.ts'
import { Formulas } from './csv-formulas.ts'
import { delimiterOf, type Row, rowsOf } from './csv-rows.ts'
import { writeTable } from './csv-writer.ts'
import { endsByName, nodeIdIn } from './names.ts'
import { areUndirected, type Table } from './table.ts'

/**
 * A table of edges or nodes, or a matrix. Exports are tables of edges with Gephi's columns: Source, Target, Type, Id, Label,
 * Weight, and any others. https://docs.gephi.org/User_Manual/Import_Spreadsheet
 */
export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  mediaType: 'text/csv',
  endings: ['.csv'],
  recognises: (text) => isTable(text) && delimiterOf(text, endOfComments(text)).delimiter !== '\t',
  read: (bytes, into) => readTables(tableIn(bytes, into), into),
  write: (graph, losses) => writeTable(graph, losses, ',')
}

/** The same format with tabs as delimiters. */
export const tsv: Format = {
  name: 'tsv',
  title: 'TSV',
  mediaType: 'text/tab-separated-values',
  endings: ['.tsv', '.tab'],
  recognises: (text) => isTable(text) && delimiterOf(text, endOfComments(text)).delimiter === '\t',
  read: (bytes, into) => readTables(tableIn(bytes, into, '\t'), into),
  write: (graph, losses) => writeTable(graph, losses, '\t')
}

/** Returns the end of the empty lines and # comments at the start of the file. Some edge lists have them. */
function endOfComments(text: string) {
  return afterAll(text, /[\r\n]+|#[^\r\n]*/y, 0)
}

/**
 * Returns whether the first line has several cells and is not a networkx edge list with a dictionary. More specific formats are
 * tried first.
 */
function isTable(text: string) {
  const table = text.slice(endOfComments(text)).slice(0, 10_000)
  return !/^\s*[<{[*%]|^\S+[ \t]+\S+[ \t]+\{|^[^\s,]+,[^\s,]+,\{['}]/.test(table) && /^[^\r\n]*?[,;\t|]/.test(table)
}

/**
 * Parses a table. The delimiter is `known`, or else the one that occurs most often in the first line. Throws Unreadable if there
 * are no rows, or if the file is not a table.
 */
export function tableIn(bytes: Buffer, into: GraphBuilder, known?: string): Table {
  const text = decodeText(bytes, into, { isOld: true })
  const comments = endOfComments(text)
  const { delimiter, start } = known === undefined ? delimiterOf(text, comments) : { delimiter: known, start: comments }
  if (/^nodedef>/i.test(text.slice(start, start + 8))) {
    throw new Unreadable(start, 'other-format', 'is GDF: choose the format gdf')
  }
  const formulas = new Formulas(delimiter)
  const rows = [...rowsOf(text, start, delimiter, into.losses)]
  if (!rows[0]) throw new Unreadable(start, 'required', 'has no rows')
  const rule = delimiter === '|' ? rows.slice(0, 2).find(isRule) : undefined
  if (rule) throw new Unreadable(rule.at, 'other-format', 'is a line of a Markdown table: save it as CSV')
  const header = headerIn(text.slice(0, start), delimiter, rows[0])
  const textOf = (cell: string) => formulas.unescape(cell, into.losses)
  const peek = (cell: string) => formulas.unescape(cell, new Losses())
  return { rows, header, delimiter, textOf, peek, isUndirected: areUndirected(text.slice(0, start)) }
}

/** Returns whether a row is a separator, like the one below the header of a Markdown table. */
function isRule({ cells }: Row) {
  return cells.every((cell) => /^[-:+=]*$/.test(cell))
}

/** Returns the last comment as the header if it has as many cells as the first row, and the first row is not a header itself. */
function headerIn(comments: string, delimiter: string, { cells }: Row): Row | undefined {
  const line = comments
    .slice(-10_000)
    .split(/[\r\n]+/)
    .findLast((line) => line !== '')
  const hash = line?.indexOf('#') ?? -1
  if (line === undefined || hash < 0) return undefined
  const names = line
    .slice(hash + 1)
    .replace(/^[ \t]+/, '')
    .split(delimiter)
    .map((name) => name.trim())
  const isHeader = (row: readonly string[]) => endsByName(row, () => false) !== undefined || nodeIdIn(row) !== undefined
  if (isHeader(cells) && !isHeader(names)) return undefined
  return cells.length > 1 && names.length === cells.length
    ? { cells: names, at: comments.lastIndexOf(line) + hash }
    : undefined
}
