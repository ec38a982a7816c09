import type { ImportTable } from '../api.ts'
import type { Columns } from './choices.ts'
import { subjectOf } from './group-names.ts'
import type { Item, Table, TableGroup } from './items.ts'

/** A node table and an edge table. */
interface TablePair {
  nodes: Table
  edges: Table
}

/** Returns the files to show. A group takes the place of its first edge table. */
export function shownOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    if (item.parts) return []
    const group = groupWith(items, item)
    return group && group.parts.edges[0]?.key !== item.key ? [] : [group ?? item]
  })
}

/**
 * Returns a node table and an edge table to combine automatically: the only two, or else two with matching file names, or else
 * two with the same ids. If other tables are in groups, the only two that remain need an id in common. Tables that are in a
 * group, or that the user has separated, do not count. Returns undefined if several tables match, or while a file is being
 * inspected.
 */
export function pairOf(items: readonly Item[]): TableGroup | undefined {
  if (items.some(({ report, error }) => !report && error === undefined)) return undefined
  const tables = items.filter(isPairable).filter((item) => !item.isApart && !groupWith(items, item))
  const nodes = tables.filter(({ table }) => table.kind === 'nodes' || isProposed(table))
  const edges = tables.filter(hasEnds)
  const pairs = nodes.flatMap((nodes) => edges.map((edges) => ({ nodes, edges })))
  const hasGroups = items.some(({ parts }) => parts)
  const pair =
    onlyIn(pairs.filter((pair) => !isProposed(pair.nodes.table) && (!hasGroups || hasCommonId(pair)))) ??
    onlyIn(pairs.filter(hasMatchingNames)) ??
    onlyIn(pairs.filter(hasSameIds))
  return pair && { nodes: [pair.nodes], edges: [pair.edges] }
}

/** Returns whether a table may list nodes, by the name and values of its id column. */
function isProposed({ kind, idColumn, sourceColumn }: ImportTable) {
  return kind === 'edges' && idColumn !== undefined && sourceColumn === undefined
}

/** Returns the first pair whose tables are in no other of these pairs. */
function onlyIn(pairs: TablePair[]) {
  return pairs.find((pair) => pairs.every((other) => other === pair || !sharesTable(pair, other)))
}

function sharesTable(one: TablePair, other: TablePair) {
  return one.nodes === other.nodes || one.edges === other.edges
}

function hasMatchingNames({ nodes, edges }: TablePair) {
  return subjectOf(nodes.file.name).toLowerCase() === subjectOf(edges.file.name).toLowerCase()
}

function hasCommonId({ nodes, edges }: TablePair) {
  return [...(edges.ids ?? [])].some((end) => nodes.ids?.has(end))
}

/** Returns whether most endpoints of the edges are ids in the node table. */
function hasSameIds({ nodes, edges }: TablePair) {
  const ends = [...(edges.ids ?? [])]
  return ends.filter((end) => nodes.ids?.has(end)).length * 2 > ends.length
}

/** Returns the tables and groups that a table can be combined with, and the group that each of them then forms. */
export function partnersOf(items: readonly Item[], item: Item): { partner: Item; group: TableGroup }[] {
  return shownOf(items).flatMap((partner) => {
    const group = partner.key === item.key ? undefined : groupOf(item, partner)
    return group ? { partner, group } : []
  })
}

/** Returns the group that a table forms with another table, or joins, or undefined if they do not fit together. */
function groupOf(item: Item, partner: Item): TableGroup | undefined {
  if (!isPairable(item) || partner.graph) return undefined
  const { nodes, edges } = partner.parts ?? {
    nodes: [partner].filter(isPairable).filter(mayBeNodes),
    edges: [partner].filter(isPairable).filter(hasEnds)
  }
  const groups = [
    ...(hasEnds(item) ? [{ nodes, edges: [...edges, item] }] : []),
    ...(mayBeNodes(item) ? [{ nodes: [...nodes, item], edges }] : [])
  ]
  if (partner.parts) return groups.find(hasSameColumns)
  // A table whose columns were guessed may be read either way, but it is only in one of the two lists.
  return groups
    .map(({ nodes, edges }) => (edges.includes(item as Table) ? { nodes, edges: [item] } : { nodes: [item], edges }))
    .find(({ nodes, edges }) => nodes.length > 0 && edges.length > 0)
}

/** Returns whether a table may list nodes. The server reads no table as nodes if its columns are named like the ends of edges. */
function mayBeNodes({ table }: Table) {
  return table.kind === 'nodes' || (table.kind === 'edges' && table.basis !== 'names')
}

/** Returns whether the server can tell all columns by name, or by the names chosen for one table. */
function hasSameColumns({ nodes, edges }: TableGroup) {
  const endsOf = ({ table }: Table) => JSON.stringify([table.sourceColumn, table.targetColumn])
  return (
    (!edges.some(hasGuessedEnds) || new Set(edges.map(endsOf)).size === 1) &&
    (!nodes.some(hasChosenId) || new Set(nodes.map(idColumnOf)).size === 1)
  )
}

/** Returns whether both groups consist of the same files and columns. */
export function isSameGroup(one: TableGroup, other: TableGroup) {
  const [tables, others] = [tablesIn(one), tablesIn(other)]
  return tables.length === others.length && tables.every(({ table }, index) => table === others[index]?.table)
}

/** Returns all tables of a group, those of nodes first. */
export function tablesIn({ nodes, edges }: TableGroup): Table[] {
  return [...nodes, ...edges]
}

/** Returns a group without one of its tables, or undefined if the others form no group. */
export function groupWithout({ nodes, edges }: TableGroup, { key }: Table): TableGroup | undefined {
  const rest = { nodes: nodes.filter((one) => one.key !== key), edges: edges.filter((one) => one.key !== key) }
  return rest.nodes.length > 0 && rest.edges.length > 0 ? rest : undefined
}

/** Returns the group that contains this file. */
function groupWith(items: readonly Item[], { key }: Item) {
  return items.find((item): item is Item & { parts: TableGroup } => isPartOf(item.parts, key))
}

/** Returns whether the file with this key is in the group. */
export function isPartOf(group: TableGroup | undefined, key: number) {
  return group !== undefined && tablesIn(group).some((table) => table.key === key)
}

function isPairable(item: Item): item is Table {
  const { file, report, table, graph, parts } = item
  const isTable = table !== undefined && (report?.format === 'csv' || report?.format === 'tsv')
  return isTable && !graph && !parts && !/\.(gz|zst|zip)$/i.test(file.name)
}

function hasEnds({ table }: Table) {
  return table.kind === 'edges' && table.sourceColumn !== undefined
}

/** Returns the columns that the server would not detect by name. */
export function columnsOf({ nodes, edges }: TableGroup): Columns {
  const { sourceColumn, targetColumn } = edges.find(hasGuessedEnds)?.table ?? {}
  const chosen = nodes.find(hasChosenId)
  const idColumn = chosen && idColumnOf(chosen)
  return {
    ...(sourceColumn !== undefined && targetColumn !== undefined && { sourceColumn, targetColumn }),
    ...(idColumn !== undefined && { idColumn })
  }
}

function hasGuessedEnds({ table: { sourceColumn, targetColumn, basis } }: Table) {
  return basis !== 'names' && sourceColumn !== undefined && targetColumn !== undefined
}

function hasChosenId({ table: { kind, basis } }: Table) {
  return kind !== 'nodes' || basis === 'choice'
}

function idColumnOf({ table }: Table) {
  return table.kind === 'nodes' || isProposed(table) ? table.idColumn : table.columns[0]
}

/** Returns the name that is shown for all files of a group. */
export function fileNameOf(group: TableGroup): string {
  return tablesIn(group)
    .map(({ file }) => file.name)
    .join(' + ')
}
