import type { GraphContent } from '../api.ts'
import { keyOfEnds } from '../edit/changes.ts'
import { oncePer } from '../shared/once-per.ts'

/** The edge that a row identifies. An empty string means no value. */
interface NamedEdge {
  id: string
  source: string
  target: string
  /** Undefined if the table has no relation column, so that any relation matches. */
  relation: string | undefined
}

/** The edges that rows identify. */
interface FoundEdges {
  /** The index of the edge for each row. Undefined means a new edge. */
  indexes: (number | undefined)[]
  /** The number of edges that were found by their endpoints. */
  byEnds: number
  /** Whether any of them has the same endpoints and relation as an edge of the graph that no row identifies. */
  isAmbiguous: boolean
}

/** Finds the edges that the rows of a table identify. The endpoints of undirected edges match in either order. */
class EdgeFinder {
  readonly #content: GraphContent
  readonly #byId = new Map<string, number>()
  /** The indexes of edges by endpoints, and by endpoints with relation. */
  readonly #groups: { ofEnds?: Groups; ofRelations?: Groups } = {}

  constructor(content: GraphContent) {
    this.#content = content
    for (const [index, { id }] of content.edges.entries()) if (id !== undefined) this.#byId.set(id, index)
  }

  /** Finds the edge with each row's id, or else the next unused edge with the same endpoints and relation. */
  find(rows: readonly NamedEdge[]): FoundEdges {
    const found = rows.map(({ id }) => (id === '' ? undefined : this.#byId.get(id)))
    const taken = new Set(found.filter((index) => index !== undefined))
    const hasRelations = rows.some(({ relation }) => relation !== undefined)
    const groups = this.#groupsOf(hasRelations ? 'ofRelations' : 'ofEnds')
    /** The number of edges already used in each group. */
    const passed = new Map<string, number>()
    let byEnds = 0
    const indexes = rows.map((row, at) => {
      if (row.id !== '') return found[at]
      const key = keyOfEnds(row)
      const group = groups.get(key) ?? []
      let next = passed.get(key) ?? 0
      while (taken.has(group[next] ?? -1)) next++
      passed.set(key, next)
      const index = group[next]
      if (index === undefined) return undefined
      taken.add(index)
      byEnds++
      return index
    })
    const isAmbiguous = [...passed.keys()].some((key) => {
      const group = groups.get(key) ?? []
      return group.some((index) => taken.has(index)) && !group.every((index) => taken.has(index))
    })
    return { indexes, byEnds, isAmbiguous }
  }

  #groupsOf(kind: 'ofEnds' | 'ofRelations'): Groups {
    const known = this.#groups[kind]
    if (known) return known
    const groups: Groups = new Map()
    this.#groups[kind] = groups
    for (const [index, edge] of this.#content.edges.entries()) {
      const relation = kind === 'ofRelations' ? (edge.relation ?? '') : undefined
      const straight = { source: edge.source, target: edge.target, relation }
      const turned = { source: edge.target, target: edge.source, relation }
      const isTurned = !(edge.directed ?? this.#content.directed) && edge.source !== edge.target
      for (const key of (isTurned ? [straight, turned] : [straight]).map(keyOfEnds)) {
        const group = groups.get(key)
        if (group) group.push(index)
        else groups.set(key, [index])
      }
    }
    return groups
  }
}

/** The indexes of edges, grouped by key. */
type Groups = Map<string, number[]>

/** Returns the finder for a graph's content. Cached, because the dialog makes a new plan whenever the table changes. */
export const edgeFinder = oncePer((content: GraphContent) => new EdgeFinder(content))
