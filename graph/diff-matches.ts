import type { Edge, Node } from '../schemas/graph-content.ts'
import { isEqual, isRecord } from './json.ts'

/** So many elements in a row may be new or gone without being looked up one by one. */
const AHEAD = 8

/** Which element of the one list is which of the other. */
export class Matches<T> {
  readonly from: readonly T[]
  readonly to: readonly T[]
  /** For each of `to` the index of the same in `from`, or -1. */
  readonly #origin: Int32Array
  /** For each of `from` whether the same is in `to`. */
  readonly #isTaken: Uint8Array
  /** For each of `to` whether the same in `from` is known to be equal. */
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
   * Most elements are equal and stand in the same order, with a few that are new, gone or changed between them: those
   * need no index. What is left is for others to match.
   */
  #matchEqual() {
    const { from, to } = this
    // Where nothing is alike, looking ahead is not worth it.
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

  /** How far ahead there is an equal pair: for one of `from` positive, of `to` negative, 0 where there is none. */
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

  /** Whether the element of `to` differs from the one that it is matched with. */
  isChanged(to: number) {
    return this.#isEqual[to] === 0 && !isEqual(this.from[this.originOf(to)], this.to[to])
  }

  /** The places in `from` of what is not matched. */
  *left(): Generator<number> {
    for (let index = 0; index < this.from.length; index++) if (!this.isTaken(index)) yield index
  }

  /** The same in `to`. */
  *leftIn(): Generator<number> {
    for (let index = 0; index < this.to.length; index++) if (this.originOf(index) < 0) yield index
  }

  /** Matches what has the same id. */
  byId(idOf: (element: T) => string | undefined) {
    const places = new Map<string, number>()
    for (const index of this.left()) {
      const id = idOf(this.from[index] as T)
      if (id !== undefined) places.set(id, index)
    }
    if (places.size === 0) return
    for (const index of this.leftIn()) {
      const id = idOf(this.to[index] as T)
      const place = id === undefined ? undefined : places.get(id)
      if (place !== undefined) this.match(place, index)
    }
  }

  /** Groups what is left by a key, which elements of `from` and `to` may have each in their way; without one it stays out. */
  groups(keyOfFrom: KeyOf<T>, keyOfTo: KeyOf<T> = keyOfFrom): Iterable<Group> {
    const groups = new Map<string, Group>()
    for (const index of this.left()) {
      const key = keyOfFrom(this.from[index] as T)
      if (key === undefined) continue
      const group = groups.get(key)
      if (group) group.from.push(index)
      else groups.set(key, { from: [index], to: [] })
    }
    for (const index of this.leftIn()) {
      const key = keyOfTo(this.to[index] as T)
      if (key !== undefined) groups.get(key)?.to.push(index)
    }
    return groups.values()
  }
}

type KeyOf<T> = (element: T) => string | undefined

/** Places of elements that have something in common. */
interface Group {
  from: number[]
  to: number[]
}

/** Nodes are the same by their id. */
export function sameNodes(matches: Matches<Node>) {
  matches.byId(({ id }) => id)
}

/** Edges are the same by their id, else by their ends and relation. */
export function sameEdges(matches: Matches<Edge>, isFromDirected: boolean, isToDirected: boolean) {
  matches.byId(({ id }) => id)
  for (const group of matches.groups(({ source, target, relation }) => keyOf(source, target, relation))) {
    sameInGroup(matches, group)
  }
  // An edge without direction has its ends in any order.
  const turned =
    (isDirected: boolean): KeyOf<Edge> =>
    ({ source, target, relation, directed = isDirected }) => {
      if (directed) return undefined
      return source < target ? keyOf(source, target, relation) : keyOf(target, source, relation)
    }
  for (const group of matches.groups(turned(isFromDirected), turned(isToDirected))) sameInGroup(matches, group)
}

function keyOf(source: string, target: string, relation: string | undefined) {
  return `${source.length} ${target.length} ${source}${target}${relation === undefined ? '' : ` ${relation}`}`
}

/** Of edges that run side by side equal ones are the same first, then those without ids, one after another. */
function sameInGroup(matches: Matches<Edge>, { from, to }: Group) {
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
  // Two ids that differ are two edges; but an edge may have got one, or lost it.
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

/** The value as JSON with members in an order that does not depend on who wrote it. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isRecord(item) ? Object.entries(item).sort(([a], [b]) => Number(a > b) - Number(a < b)) : item
  )
}
