import type { Edge, GraphContent, Node } from '../api.ts'
import { LENGTHS } from '../edit/lengths.ts'
import { attributeTypes } from './attribute-types.ts'
import { unescaped } from './cell-types.ts'
import { DIRECTION, doubleColumns, type Role, rowKindOf } from './column-roles.ts'
import { edgeFinder } from './edge-finder.ts'
import { idForName } from './node-names.ts'
import type { PastedTable } from './pasted-table.ts'
import { misfitOf, type ValueColumn, valueColumns, withCells } from './value-columns.ts'

export interface Counts {
  added: number
  changed: number
  same: number
}

type RowFaultCode = 'id' | 'ends' | 'twice' | 'cells' | 'direction' | 'number' | 'length' | 'type'

/** A row that cannot be applied, and the reason. */
export interface RowFault {
  row: number
  code: RowFaultCode
  /** The name of the column whose cell has the wrong type. */
  column?: string
}

/** The result of applying a pasted table. Rows with faults are not applied. */
export interface Plan {
  content: GraphContent
  nodes: Counts
  edges: Counts
  /** The number of nodes that rows identify by label instead of id. */
  byLabel: number
  /** The number of rows without an id whose nodes already have an edge, and whether these rows add another one. */
  byEnds: number
  addsEdges: boolean
  faults: RowFault[]
}

/** The maximum lengths of ids, relations and labels, in characters. */
const LONGEST = { ...LENGTHS, source: LENGTHS.id, target: LENGTHS.id }

/**
 * Applies the rows of a table to a graph's content. Each row changes the node or edge that it identifies, or adds a new one. With
 * `addsEdges`, endpoints do not identify edges; by default, they do unless parallel edges make it unclear which edge is meant.
 * Empty cells are ignored. The endpoints of edges, and the nodes in a table without titles, are identified by id, or else by a
 * label that only one node has. Changes nothing if the roles are incomplete or two columns set the same attribute. Takes time linear
 * in the size of the content and the table.
 */
export function planOf(
  content: GraphContent,
  table: PastedTable,
  roles: readonly Role[],
  addsEdges?: boolean | undefined
): Plan {
  const plan: Plan = {
    content,
    nodes: { added: 0, changed: 0, same: 0 },
    edges: { added: 0, changed: 0, same: 0 },
    byLabel: 0,
    byEnds: 0,
    addsEdges: false,
    faults: []
  }
  const kind = rowKindOf(roles)
  if (!kind || doubleColumns(table.header, roles)) return plan
  const columns = valueColumns(table, roles, attributeTypes(kind === 'node' ? content.nodes : content.edges))
  const rows = table.rows.filter(({ number, cells }) => {
    const code = faultOf(cells, table.header.length, roles)
    const misfit = code ? undefined : misfitOf(cells, columns)
    if (code) plan.faults.push({ row: number, code })
    else if (misfit) plan.faults.push({ row: number, code: 'type', column: table.header[misfit.index] ?? '' })
    return !code && !misfit
  })
  const found = new Set<string>()
  const idOf = (name: string) => {
    const id = idForName(content.nodes, name)
    if (id !== name) found.add(id)
    return id
  }
  const planned =
    kind === 'node'
      ? withNodes(plan, rows, roles, columns, table.hasTitles ? (id) => id : idOf)
      : withEdges(plan, rows, roles, columns, idOf, addsEdges)
  return { ...planned, byLabel: found.size }
}

function faultOf(cells: readonly string[], width: number, roles: readonly Role[]): RowFaultCode | undefined {
  if (cells.length > width && cells.slice(width).some((cell) => cell !== '')) return 'cells'
  const cellOf = (role: Role) => cells[roles.indexOf(role)] ?? ''
  if (roles.includes('source') ? cellOf('source') === '' || cellOf('target') === '' : cellOf('id') === '') {
    return roles.includes('source') ? 'ends' : 'id'
  }
  const isTooLong = Object.entries(LONGEST).some(([role, most]) => cellOf(role as Role).length > most)
  if (isTooLong) return 'length'
  const isPlaced = (['x', 'y', 'z'] as const).every((axis) => Number.isFinite(Number(cellOf(axis))))
  if (!isPlaced) return 'number'
  const direction = cellOf('direction')
  return direction !== '' && !DIRECTION.test(direction) ? 'direction' : undefined
}

function withNodes(
  plan: Plan,
  rows: PastedTable['rows'],
  roles: readonly Role[],
  columns: ValueColumn[],
  idOf: (name: string) => string
): Plan {
  const nodes = plan.content.nodes.slice()
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]))
  const seen = new Set<string>()
  for (const { number, cells } of rows) {
    const id = idOf(unescaped(cells[roles.indexOf('id')] ?? ''))
    if (seen.has(id)) {
      plan.faults.push({ row: number, code: 'twice' })
      continue
    }
    seen.add(id)
    const index = indexes.get(id)
    put(nodes, index, withCells<Node>(elementAt(nodes, index) ?? { id }, cells, columns), plan.nodes)
  }
  return { ...plan, content: { ...plan.content, nodes } }
}

function withEdges(
  plan: Plan,
  rows: PastedTable['rows'],
  roles: readonly Role[],
  columns: ValueColumn[],
  idOf: (name: string) => string,
  addsEdges: boolean | undefined
): Plan {
  const nodes = plan.content.nodes.slice()
  const edges = plan.content.edges.slice()
  const known = new Set(nodes.map(({ id }) => id))
  const named = namedEdges(plan, rows, roles, idOf)
  const { indexes, byEnds, isAmbiguous } = edgeFinder(plan.content).find(named)
  const isAdded = addsEdges ?? isAmbiguous
  for (const [at, { id, source, target, direction, cells }] of named.entries()) {
    for (const end of new Set([source, target])) {
      if (known.has(end)) continue
      known.add(end)
      nodes.push({ id: end })
      plan.nodes.added++
    }
    const index = isAdded && id === '' ? undefined : indexes[at]
    const before = elementAt(edges, index) ?? { ...(id !== '' && { id }), source, target }
    const edge = withDirection(
      withEnds(withCells<Edge>(before, cells, columns), source, target, id),
      direction === '' ? undefined : direction === 'directed',
      plan.content.directed
    )
    put(edges, index, edge, plan.edges)
  }
  return { ...plan, content: { ...plan.content, nodes, edges }, byEnds, addsEdges: isAdded }
}

/** Returns the edges that the rows identify. Repeating an id is a fault. */
function namedEdges(plan: Plan, rows: PastedTable['rows'], roles: readonly Role[], idOf: (name: string) => string) {
  const seen = new Set<string>()
  return rows.flatMap(({ number, cells }) => {
    const cellOf = (role: Role) => unescaped(cells[roles.indexOf(role)] ?? '')
    const id = cellOf('id')
    if (id !== '' && seen.has(id)) {
      plan.faults.push({ row: number, code: 'twice' })
      return []
    }
    seen.add(id)
    const relation = roles.includes('relation') ? cellOf('relation') : undefined
    const direction = cellOf('direction').toLowerCase()
    const [source, target] = [idOf(cellOf('source')), idOf(cellOf('target'))]
    return [{ id, source, target, relation, direction, cells }]
  })
}

/** Changes the endpoints of an edge that was found by id. */
function withEnds(edge: Edge, source: string, target: string, id: string): Edge {
  if (id === '' || (edge.source === source && edge.target === target)) return edge
  return { ...edge, source, target }
}

function withDirection(edge: Edge, directed: boolean | undefined, byDefault: boolean): Edge {
  return directed === undefined || (edge.directed ?? byDefault) === directed ? edge : { ...edge, directed }
}

function elementAt<E>(elements: E[], index: number | undefined): E | undefined {
  return index === undefined ? undefined : elements[index]
}

/** Replaces the element at the index, or appends it, and counts the change. */
function put<E>(elements: E[], index: number | undefined, element: E, counts: Counts) {
  if (index === undefined) {
    elements.push(element)
    counts.added++
  } else if (elements[index] === element) counts.same++
  else {
    elements[index] = element
    counts.changed++
  }
}
