import type { Edge } from '../../../schemas/graph-content.ts'
import { asText, edgeAttributes } from '../shared/attributes.ts'
import { type CellCounts, countCell, isNumber, noCells, typeOf } from '../shared/cell-types.ts'
import type { GraphToWrite } from '../shared/format.ts'
import type { Losses } from '../shared/losses.ts'
import { cellOf } from './csv-cells.ts'
import { Formulas } from './csv-formulas.ts'
import { tableVocabulary } from './header.ts'
import { isSwallowed, marked, numberText } from './values.ts'

/** Returns the graph as a table of edges, with Gephi's columns. Counts all losses before the first chunk. */
export function writeTable({ content }: GraphToWrite, losses: Losses, delimiter: string): Iterable<string> {
  const { directed = true, label, metadata, edges } = content
  // A file without edges cannot specify that edges are undirected.
  const isUntold = edges.length === 0 && !directed
  const untold = (label === undefined ? 0 : 1) + (isUntold ? 1 : 0)
  losses.add('graph-attributes-dropped', Object.keys(metadata ?? {}).length + untold)
  countNodes(content, losses)
  const guarded = guardFor(delimiter)
  const columns = columnsOf(edges, guarded, delimiter, losses)
  const hasIds = edges.some(({ id }) => id !== undefined)
  const header = ['Source', 'Target', 'Type', ...(hasIds ? ['Id'] : []), ...columns.keys()]
  const line = (cells: string[]) => `${cells.join(delimiter)}\r\n`
  const text = (value: string) => cellOf(guarded(value))
  for (const name of columns.keys()) guarded(name, losses)
  for (const { id, source, target } of edges) for (const value of [id ?? '', source, target]) guarded(value, losses)

  return (function* () {
    yield line(header.map((name) => text(titles[name] ?? name)))
    for (const edge of edges) {
      const { id = '', source, target } = edge
      const values = new Map(edgeAttributes(edge, tableVocabulary))
      const cells = [...columns].map(([name, isMarked]) => {
        const value = values.get(name)
        if (value === undefined) return ''
        return typeof value === 'number' ? numberText(value) : text(marked(asText(value), isMarked))
      })
      const type = (edge.directed ?? directed) ? 'Directed' : 'Undirected'
      yield line([text(source), text(target), type, ...(hasIds ? [text(id)] : []), ...cells])
    }
  })()
}

const titles: Record<string, string | undefined> = Object.assign(Object.create(null), {
  label: 'Label',
  weight: 'Weight',
  relation: 'Relation'
})

/** Counts the losses that affect nodes. A table of edges contains only node ids and omits nodes without edges. */
function countNodes({ nodes, edges }: GraphToWrite['content'], losses: Losses) {
  const connected = new Set(edges.flatMap(({ source, target }) => [source, target]))
  const named = [...connected]
  const kept = nodes.filter(({ id }) => connected.has(id))
  losses.add('isolated-node-dropped', nodes.length - kept.length)
  if (kept.some(({ id }, index) => id !== named[index])) losses.add('node-order-changed')
  for (const { label, x, y, z, metadata } of kept) {
    if (label !== undefined) losses.add('label-dropped')
    if (x !== undefined || y !== undefined || z !== undefined) losses.add('position-dropped')
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length)
  }
}

/** The maximum numbers of columns (a limit of spreadsheets) and of cells (which must fit in memory). */
const COLUMNS = 16_384
const CELLS = 20_000_000

/**
 * Returns the edge attributes to write as columns, and whether their strings must be marked as text. Counts values that an import
 * would read as another type.
 */
function columnsOf(edges: readonly Edge[], guarded: Guard, delimiter: string, losses: Losses): Map<string, boolean> {
  const columns = new Map<string, { counts: CellCounts; values: unknown[] }>()
  const most = Math.min(COLUMNS, Math.max(16, Math.floor(CELLS / Math.max(1, edges.length))))
  for (const edge of edges) {
    for (const [name, value] of edgeAttributes(edge, tableVocabulary, losses)) {
      let column = columns.get(name)
      if (!column && columns.size >= most) {
        losses.add('attributes-dropped')
        continue
      }
      if (!column) {
        column = { counts: noCells(), values: [] }
        columns.set(name, column)
      }
      column.values.push(value)
      countCell(column.counts, typeof value === 'number' ? numberText(value) : guarded(asText(value)), delimiter)
    }
  }
  const isMarked = new Map<string, boolean>()
  for (const [name, { counts, values }] of columns) {
    const hasSwallowed =
      counts.missing + counts.commas + counts.groups > 0 &&
      values.some((value) => typeof value !== 'number' && isSwallowed(asText(value)))
    const type = hasSwallowed ? 'text' : typeOf(name, counts)
    isMarked.set(name, hasSwallowed && typeOf(name, counts) === 'number')
    for (const value of values) {
      if (typeof value === 'object') losses.add('nested-metadata')
      else if (value === '') losses.add('empty-text-dropped')
      else if (typeof value === 'string') {
        if (type !== 'text') losses.add('type-changed')
        else guarded(value, losses)
      } else if (typeof value !== type) losses.add('type-widened')
    }
  }
  return isMarked
}

/** Escapes a text cell for spreadsheets. Counts changes if `counted` is given. */
type Guard = (value: string, counted?: Losses) => string

function guardFor(delimiter: string): Guard {
  const formulas = new Formulas(delimiter)
  return (value, counted) => {
    const escaped = formulas.escape(value)
    // A number may start like a formula without being one.
    if (escaped === value || isNumber(value)) return value
    counted?.add('formula-escaped')
    return escaped
  }
}
