import type { ImportTable } from '../api.ts'
import type { Columns } from './choices.ts'
import type { Item, Table, TablePair } from './items.ts'
import { subjectOf } from './pair-names.ts'

/** Returns the files to show. A pair takes the place of its edge table. */
export function shownOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    if (item.parts) return []
    const pair = pairWith(items, item)
    return pair?.parts.nodes.key === item.key ? [] : [pair ?? item]
  })
}

/**
 * Returns a node table and an edge table to combine automatically: the only two, or else two with matching file names, or else
 * two with the same ids. If other tables are in pairs, the only two that remain need an id in common. Tables that are in a pair, or that the user has separated, do not count. Returns undefined if several
 * tables match, or while a file is being inspected.
 */
export function pairOf(items: readonly Item[]): TablePair | undefined {
  if (items.some(({ report, error }) => !report && error === undefined)) return undefined
  const tables = items.filter(isPairable).filter((item) => !item.isApart && !pairWith(items, item))
  const nodes = tables.filter(({ table }) => table.kind === 'nodes' || isProposed(table))
  const edges = tables.filter(hasEnds)
  const pairs = nodes.flatMap((nodes) => edges.map((edges) => ({ nodes, edges })))
  const hasPairs = items.some(({ parts }) => parts)
  return (
    onlyIn(pairs.filter((pair) => !isProposed(pair.nodes.table) && (!hasPairs || hasCommonId(pair)))) ??
    onlyIn(pairs.filter(hasMatchingNames)) ??
    onlyIn(pairs.filter(hasSameIds))
  )
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

/** Returns the tables that can be the node table of this file: those in no other pair. Empty unless this is an edge table. */
export function nodeTablesFor(items: readonly Item[], item: Item): Table[] {
  const edges = item.parts?.edges ?? item
  if (item.graph || !isPairable(edges) || !hasEnds(edges)) return []
  return items.filter(isPairable).filter((other) => {
    // The server never reads a table as nodes if its columns are named like the ends of edges.
    const mayBeNodes = other.table.kind === 'nodes' || (other.table.kind === 'edges' && other.table.basis !== 'names')
    const pair = pairWith(items, other)
    return mayBeNodes && other.key !== edges.key && (!pair || pair === item)
  })
}

/** Returns whether both pairs consist of the same files and columns. */
export function isSamePair(one: TablePair, other: TablePair) {
  return one.nodes.table === other.nodes.table && one.edges.table === other.edges.table
}

/** Returns the pair that contains this file. */
function pairWith(items: readonly Item[], { key }: Item) {
  return items.find((item): item is Item & { parts: TablePair } => isPartOf(item.parts, key))
}

/** Returns whether the file with this key is in the pair. */
export function isPartOf(pair: TablePair | undefined, key: number) {
  return pair !== undefined && [pair.nodes.key, pair.edges.key].includes(key)
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
export function columnsOf({ nodes, edges }: TablePair): Columns {
  const { sourceColumn, targetColumn, basis } = edges.table
  const isGuessed = basis !== 'names' && sourceColumn !== undefined && targetColumn !== undefined
  const { kind, columns, basis: basisOfNodes } = nodes.table
  const idColumn = kind === 'nodes' || isProposed(nodes.table) ? nodes.table.idColumn : columns[0]
  return {
    ...(isGuessed && { sourceColumn, targetColumn }),
    ...((kind !== 'nodes' || basisOfNodes === 'choice') && idColumn !== undefined && { idColumn })
  }
}

/** Returns the name that is shown for both files. */
export function fileNameOf({ nodes, edges }: TablePair): string {
  return `${nodes.file.name} + ${edges.file.name}`
}
