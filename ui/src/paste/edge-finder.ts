import type { GraphContent } from '../api.ts'
import { keyOfEnds } from '../edit/changes.ts'

/** Finds the edges of a content that rows of a table name. Of parallel edges each row takes another one, in their order. */
export class EdgeFinder {
  readonly #byId = new Map<string, number>()
  /** The edges between two nodes, also with their relation; undirected ones in either order. */
  readonly #byEnds = new Map<string, Edges>()
  readonly #taken = new Set<number>()

  constructor({ edges, directed }: GraphContent) {
    for (const [index, edge] of edges.entries()) {
      if (edge.id !== undefined) this.#byId.set(edge.id, index)
      const { source, target, relation } = edge
      const turned = { source: target, target: source, relation }
      const isTurned = !(edge.directed ?? directed) && source !== target
      for (const ends of isTurned ? [edge, turned] : [edge]) {
        this.#add(keyOfEnds({ ...ends, relation: undefined }), index)
        if (relation !== undefined) this.#add(keyOfEnds(ends), index)
      }
    }
  }

  #add(key: string, index: number) {
    const group = this.#byEnds.get(key)
    if (group) group.indexes.push(index)
    else this.#byEnds.set(key, { indexes: [index], next: 0 })
  }

  /** Returns the index of the edge with this id, else of the next one with these ends and relation; empty texts are none. */
  take(id: string, source: string, target: string, relation: string): number | undefined {
    const ends = { source, target, relation: relation || undefined }
    const index = id === '' ? this.#next(keyOfEnds(ends)) : this.#byId.get(id)
    if (index !== undefined) this.#taken.add(index)
    return index
  }

  #next(key: string): number | undefined {
    const group = this.#byEnds.get(key)
    if (!group) return undefined
    while (this.#taken.has(group.indexes[group.next] ?? -1)) group.next++
    return group.indexes[group.next]
  }
}

/** The edges of one key: those before `next` are taken. */
interface Edges {
  indexes: number[]
  next: number
}
