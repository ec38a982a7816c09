import type { GraphContent } from '../api.ts'
import { keyOfEnds } from '../edit/changes.ts'

/** The edge that a row names; empty texts are none. */
export interface NamedEdge {
  id: string
  source: string
  target: string
  /** Undefined in a table without relations: there, any one will do. */
  relation: string | undefined
}

/** Finds the edges of a content that the rows of a table name. Undirected ones have their ends in either order. */
export class EdgeFinder {
  readonly #content: GraphContent
  readonly #byId = new Map<string, number>()

  constructor(content: GraphContent) {
    this.#content = content
    for (const [index, { id }] of content.edges.entries()) if (id !== undefined) this.#byId.set(id, index)
  }

  /**
   * Returns the index of the edge that each row names: that with its id; else, of those with its ends and relation, the next one that
   * no other row has. Undefined is a new edge.
   */
  find(rows: readonly NamedEdge[]): (number | undefined)[] {
    const found = rows.map(({ id }) => (id === '' ? undefined : this.#byId.get(id)))
    const taken = new Set(found.filter((index) => index !== undefined))
    const groups = this.#groups(rows.some(({ relation }) => relation !== undefined))
    /** How many edges of a group are passed. */
    const passed = new Map<string, number>()
    return rows.map((row, at) => {
      if (row.id !== '') return found[at]
      const key = keyOfEnds(row)
      const group = groups.get(key) ?? []
      let next = passed.get(key) ?? 0
      while (taken.has(group[next] ?? -1)) next++
      passed.set(key, next)
      const index = group[next]
      if (index !== undefined) taken.add(index)
      return index
    })
  }

  /** Returns the indexes of the edges with the same ends, and the same relation if that counts. */
  #groups(hasRelations: boolean): Map<string, number[]> {
    const groups = new Map<string, number[]>()
    for (const [index, edge] of this.#content.edges.entries()) {
      const relation = hasRelations ? (edge.relation ?? '') : undefined
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
