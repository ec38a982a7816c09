import { subjectOf } from './group-names.ts'
import type { Item, Table, TableGroup } from './items.ts'
import { groupWith } from './table-groups.ts'
import { asEdgesBetween, asNodes, hasEnds, haveCommonId, haveSameIds, isPairable, isProposed } from './table-kinds.ts'

/** Nodes that edge tables may belong to: a node table that is not in a group, or the node tables of a group. */
interface NodeSet {
  nodes: Table[]
  group?: Item & { parts: TableGroup }
}

/**
 * Returns a node table or a group to combine automatically with all edge tables that belong to it. An edge table belongs to the
 * only node table with a matching file name, or else to the only nodes whose ids are most of its ends, or else to the only node
 * table if no other tables remain. If there are groups by then, they need an id in common. Tables that the user has separated do
 * not count. Returns undefined if no table belongs to another, or while a file is being inspected.
 */
export function matchOf(items: readonly Item[]): { parts: TableGroup; group?: Item } | undefined {
  if (items.some(({ report, error }) => !report && error === undefined)) return undefined
  const tables = items.filter(isPairable).filter((item) => !item.isApart && !groupWith(items, item))
  const groups = items.filter((item): item is Item & { parts: TableGroup } => item.parts !== undefined && !item.graph)
  const nodeTables = tables.filter((item) => item.table.kind === 'nodes' || isProposed(item))
  const sets: NodeSet[] = [
    ...groups.map((group) => ({ nodes: group.parts.nodes, group })),
    ...nodeTables.flatMap((item) => ({ nodes: [asNodes(item)].filter((table) => table !== undefined) }))
  ]
  const [first, ...more] = nodeTables.filter((item) => !isProposed(item))
  const isLastPair = more.length === 0 && tables.filter(hasEnds).length === 1
  const nodesOf = (item: Table) => {
    const others = sets.filter(({ nodes }) => nodes[0]?.key !== item.key)
    const named = hasEnds(item) ? others.filter((set) => !set.group && hasMatchingName(item, set)) : []
    const known = others.filter(({ nodes }) => {
      const edges = asEdgesBetween(item, nodes)
      return edges && haveSameIds(edges, nodes)
    })
    const last = sets.filter(({ nodes }) => hasEnds(item) && isLastPair && nodes[0]?.key === first?.key)
    const isLast = groups.length === 0 || last.some(({ nodes }) => haveCommonId(item, nodes))
    return onlyOf(named) ?? onlyOf(known) ?? (isLast ? onlyOf(last) : undefined)
  }
  const matches = new Map(tables.map((item) => [item, nodesOf(item)]))
  for (const set of sets) {
    const { nodes, group } = set
    const edges = tables.flatMap((item) => (matches.get(item) === set ? (asEdgesBetween(item, nodes) ?? []) : []))
    if (edges.length > 0) {
      return { parts: { nodes, edges: [...(group?.parts.edges ?? []), ...edges] }, ...(group && { group }) }
    }
  }
  return undefined
}

function hasMatchingName(item: Table, { nodes }: NodeSet) {
  return nodes.some(({ file }) => subjectOf(file.name).toLowerCase() === subjectOf(item.file.name).toLowerCase())
}

function onlyOf(sets: readonly NodeSet[]) {
  return sets.length === 1 ? sets[0] : undefined
}
