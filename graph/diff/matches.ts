import type { Edge, Node } from '../../schemas/graph-content.ts'
import { isEqual, isRecord } from '../content/json.ts'

/** The maximum length of a run of added or removed elements that can be skipped without an index. */
const AHEAD = 8

/** A matching between the elements of two lists. */
export class Matches<T> {
  readonly from: readonly T[]
  readonly to: readonly T[]
  /** For each element of `to`, the index of its match in `from`, or -1. */
  readonly #origin: Int32Array
  /** For each element of `from`, whether it is matched. */
  readonly #isTaken: Uint8Array
  /** For each element of `to`, whether its match is known to be equal. */
  readonly #isEqual: Uint8Array

  constructor(from: readonly T[], to: readonly T[]) {
    this.from = from
    this.to = to
    this.#origin = new Int32Array(to.length).fill(-1)
    this.#isTaken = new Uint8Array(from.length)
    this.#isEqual = new Uint8Array(to.length)
    this.#matchEqual()
  }

  /**
   * Matches equal elements that are in the same order, skipping short runs of added, removed or changed elements. Needs no index.
   * This step matches most elements; later steps match the rest.
   */
  #matchEqual() {
    const { from, to } = this
    // Looking ahead wastes time if the lists have no elements in common.
    let patience = from.length + to.length
    for (let at = 0, place = 0; at < to.length && place < from.length; at++, place++) {
      if (!isEqual(from[place], to[at])) {
        const ahead = patience > 0 ? this.#nextEqual(place, at) : 0
        patience -= AHEAD
        if (ahead > 0) place += ahead
        else if (ahead < 0) at -= ahead
        else continue
      }
      this.match(place, at)
      this.#isEqual[at] = 1
    }
  }

  /** Returns the distance to the next equal pair: positive along `from`, negative along `to`, 0 if none is nearby. */
  #nextEqual(place: number, at: number) {
    for (let ahead = 1; ahead <= AHEAD; ahead++) {
      if (place + ahead < this.from.length && isEqual(this.from[place + ahead], this.to[at])) return ahead
      if (at + ahead < this.to.length && isEqual(this.from[place], this.to[at + ahead])) return -ahead
    }
    return 0
  }

  match(from: number, to: number) {
    this.#origin[to] = from
    this.#isTaken[from] = 1
  }

  originOf(to: number): number {
    return this.#origin[to] as number
  }

  isTaken(from: number) {
    return this.#isTaken[from] === 1
  }

  /** Returns whether the element of `to` differs from its match. */
  isChanged(to: number) {
    return this.#isEqual[to] === 0 && !isEqual(this.from[this.originOf(to)], this.to[to])
  }

  /** Yields the indexes of unmatched elements of `from`. */
  *unmatchedFrom(): Generator<number> {
    for (let index = 0; index < this.from.length; index++) if (!this.isTaken(index)) yield index
  }

  /** Yields the indexes of unmatched elements of `to`. */
  *unmatchedTo(): Generator<number> {
    for (let index = 0; index < this.to.length; index++) if (this.originOf(index) < 0) yield index
  }

  /** Matches elements that have the same id. */
  matchById(idOf: (element: T) => string | undefined) {
    const places = new Map<string, number>()
    for (const index of this.unmatchedFrom()) {
      const id = idOf(this.from[index] as T)
      if (id !== undefined) places.set(id, index)
    }
    if (places.size === 0) return
    for (const index of this.unmatchedTo()) {
      const id = idOf(this.to[index] as T)
      const place = id === undefined ? undefined : places.get(id)
      if (place !== undefined) this.match(place, index)
    }
  }

  /** Groups unmatched elements by key, skipping those without one. `from` and `to` may derive their keys differently. */
  groupUnmatched(keyOfFrom: KeyOf<T>, keyOfTo: KeyOf<T> = keyOfFrom): Iterable<Group> {
    const groups = new Map<string, Group>()
    for (const index of this.unmatchedFrom()) {
      const key = keyOfFrom(this.from[index] as T)
      if (key === undefined) continue
      const group = groups.get(key)
      if (group) group.from.push(index)
      else groups.set(key, { from: [index], to: [] })
    }
    for (const index of this.unmatchedTo()) {
      const key = keyOfTo(this.to[index] as T)
      if (key !== undefined) groups.get(key)?.to.push(index)
    }
    return groups.values()
  }
}

type KeyOf<T> = (element: T) => string | undefined

/** The indexes of elements that share a key. */
interface Group {
  from: number[]
  to: number[]
}

/** Matches nodes by id. */
export function matchNodes(matches: Matches<Node>) {
  matches.matchById(({ id }) => id)
}

/** Matches edges by id, or else by endpoints and relation. */
export function matchEdges(matches: Matches<Edge>, isFromDirected: boolean, isToDirected: boolean) {
  matches.matchById(({ id }) => id)
  for (const group of matches.groupUnmatched(({ source, target, relation }) => keyOfEnds(source, target, relation))) {
    matchGroup(matches, group)
  }
  // The endpoints of an undirected edge match in either order.
  const undirectedKey =
    (isDirected: boolean): KeyOf<Edge> =>
    ({ source, target, relation, directed = isDirected }) => {
      if (directed) return undefined
      return source < target ? keyOfEnds(source, target, relation) : keyOfEnds(target, source, relation)
    }
  for (const group of matches.groupUnmatched(undirectedKey(isFromDirected), undirectedKey(isToDirected)))
    matchGroup(matches, group)
}

/** Returns a string that identifies the endpoints and relation of an edge. */
export function keyOfEnds(source: string, target: string, relation: string | undefined) {
  return `${source.length} ${target.length} ${source}${target}${relation === undefined ? '' : ` ${relation}`}`
}

/** Matches parallel edges: equal edges first, then edges without ids, in order. */
function matchGroup(matches: Matches<Edge>, { from, to }: Group) {
  if (to.length === 0) return
  if (from.length > 1 || to.length > 1) {
    const equal = new Map<string, number[]>()
    for (const index of from.toReversed()) {
      const text = canonical(matches.from[index])
      const same = equal.get(text)
      if (same) same.push(index)
      else equal.set(text, [index])
    }
    for (const index of to) {
      const place = equal.get(canonical(matches.to[index]))?.pop()
      if (place !== undefined) matches.match(place, index)
    }
  }
  const hasId = (edge: Edge | undefined) => edge?.id !== undefined
  const left = (withId: boolean) => from.filter((i) => !matches.isTaken(i) && hasId(matches.from[i]) === withId)
  const leftIn = (withId: boolean) => to.filter((i) => matches.originOf(i) < 0 && hasId(matches.to[i]) === withId)
  // Edges with different ids never match, but an edge may gain or lose its id.
  for (const [ofFrom, ofTo] of [
    [false, false],
    [true, false],
    [false, true]
  ] as const) {
    const places = left(ofFrom)
    for (const [order, index] of leftIn(ofTo).entries()) {
      const place = places[order]
      if (place === undefined) break
      matches.match(place, index)
    }
  }
}

/** Returns the value as JSON with sorted members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isRecord(item) ? Object.entries(item).sort(([a], [b]) => Number(a > b) - Number(a < b)) : item
  )
}
