import { subjectOf } from './group-names.ts'
import type { Item, Table, TableGroup } from './items.ts'
import { groupWith } from './table-groups.ts'
import { asEdgesBetween, asNodes, hasEnds, haveCommonId, haveSameIds, isPairable, isProposed } from './table-kinds.ts'

/** A node table that is not in a group, or the node tables of a group. */
interface Home {
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
  const lists = tables.filter((item) => item.table.kind === 'nodes' || isProposed(item))
  const homes: Home[] = [
    ...groups.map((group) => ({ nodes: group.parts.nodes, group })),
    ...lists.flatMap((item) => ({ nodes: [asNodes(item)].filter((table) => table !== undefined) }))
  ]
  const [list, ...otherLists] = lists.filter((item) => !isProposed(item))
  const isLastPair = otherLists.length === 0 && tables.filter(hasEnds).length === 1
  const homeOf = (item: Table) => {
    const others = homes.filter(({ nodes }) => nodes[0]?.key !== item.key)
    const named = hasEnds(item) ? others.filter((home) => !home.group && hasMatchingName(item, home)) : []
    const known = others.filter(({ nodes }) => {
      const edges = asEdgesBetween(item, nodes)
      return edges && haveSameIds(edges, nodes)
    })
    const last = homes.filter(({ nodes }) => hasEnds(item) && isLastPair && nodes[0]?.key === list?.key)
    const isLast = groups.length === 0 || last.some(({ nodes }) => haveCommonId(item, nodes))
    return onlyOf(named) ?? onlyOf(known) ?? (isLast ? onlyOf(last) : undefined)
  }
  const places = new Map(tables.map((item) => [item, homeOf(item)]))
  for (const home of homes) {
    const { nodes, group } = home
    const edges = tables.flatMap((item) => (places.get(item) === home ? (asEdgesBetween(item, nodes) ?? []) : []))
    if (edges.length > 0) {
      return { parts: { nodes, edges: [...(group?.parts.edges ?? []), ...edges] }, ...(group && { group }) }
    }
  }
  return undefined
}

function hasMatchingName(item: Table, { nodes }: Home) {
  return nodes.some(({ file }) => subjectOf(file.name).toLowerCase() === subjectOf(item.file.name).toLowerCase())
}

function onlyOf(homes: readonly Home[]) {
  return homes.length === 1 ? homes[0] : undefined
}
