import type { Columns } from './choices.ts'
import type { Item, Table, TableGroup } from './items.ts'
import { asEdges, asNodes, haveSameIds, isPairable } from './table-kinds.ts'

/** Returns the files to show. A group takes the place of its first edge table. */
export function shownOf(items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    if (item.parts) return []
    const group = groupWith(items, item)
    return group && group.parts.edges[0]?.key !== item.key ? [] : [group ?? item]
  })
}

/** Returns the tables and groups that a table can be combined with. */
export function partnersOf(items: readonly Item[], item: Item): Item[] {
  return shownOf(items).filter((partner) => partner.key !== item.key && groupsOf(item, partner).length > 0)
}

/** Returns the group that a table forms with another table, or joins, or undefined if they do not fit together. */
export function groupOf(item: Item, partner: Item): TableGroup | undefined {
  const groups = groupsOf(item, partner)
  // A table whose columns were guessed may be read either way.
  return groups.find(({ nodes, edges }) => edges.every((table) => haveSameIds(table, nodes))) ?? groups[0]
}

/** Returns the groups that a table may form with another, the usual one first. Compares ids only if ends are unclear. */
function groupsOf(item: Item, partner: Item): TableGroup[] {
  if (!isPairable(item) || partner.graph) return []
  if (partner.parts) {
    const { nodes, edges } = partner.parts
    const table = asEdges(item, nodes)
    if (table) return [{ nodes, edges: [...edges, table] }]
    const others = asNodes(item)
    return others ? [{ nodes: [...nodes, others], edges }] : []
  }
  if (!isPairable(partner)) return []
  return [pairOf(partner, item), pairOf(item, partner)].filter((group) => group !== undefined)
}

function pairOf(one: Table, other: Table): TableGroup | undefined {
  const nodes = asNodes(one)
  const edges = nodes && asEdges(other, [nodes])
  return edges && { nodes: [nodes], edges: [edges] }
}

/** Returns whether both groups consist of the same files and columns. */
export function isSameGroup(one: TableGroup, other: TableGroup) {
  const [tables, others] = [one, other].map((group) => tablesIn(group).map(({ key, table }) => [key, table]))
  return JSON.stringify(tables) === JSON.stringify(others)
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

/** Returns a group in which other columns are chosen for one of its tables. */
export function groupWithColumns({ nodes, edges }: TableGroup, { key }: Table, columns: Columns): TableGroup {
  const change = (one: Table): Table =>
    one.key === key ? { ...one, table: { ...one.table, ...columns, basis: 'choice' } } : one
  return { nodes: nodes.map(change), edges: edges.map(change) }
}

/** Returns the group that contains this file. */
export function groupWith(items: readonly Item[], { key }: Item) {
  return items.find((item): item is Item & { parts: TableGroup } => isPartOf(item.parts, key))
}

/** Returns whether the file with this key is in the group. */
export function isPartOf(group: TableGroup | undefined, key: number) {
  return group !== undefined && tablesIn(group).some((table) => table.key === key)
}

/** Returns the name that is shown for all files of a group. */
export function fileNameOf(group: TableGroup): string {
  return tablesIn(group)
    .map(({ file }) => file.name)
    .join(' + ')
}
