import type { Change, EdgeChange, GraphDiff, NodeChange } from '../../schemas/diff.ts'
import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import { isEqual, isRecord } from '../content/json.ts'
import { type Path, pointerTo } from '../content/pointers.ts'
import { Matches, matchEdges, matchNodes } from './matches.ts'

/** The compared fields of a version record. */
export type DiffedRecord = Record<string, string | boolean | null | string[]>

/** The differences between the content of two versions. */
export type ContentDiff = Pick<GraphDiff, 'fields' | 'nodes' | 'edges' | 'truncated'>

/** The approximate maximum size of all lists together as JSON, in bytes. A single element may be large. */
const BYTES = 4 * 1024 * 1024

/**
 * Compares the content of two versions in linear time; undefined means an empty graph. Nodes are matched by id; edges by id, or
 * else by endpoints and relation. Each list has at most `limit` elements.
 */
export function diffContents(from: GraphContent | undefined, to: GraphContent | undefined, limit: number): ContentDiff {
  const [before, after] = [from ?? nothing, to ?? nothing]
  const lists = new Lists(limit)
  const nodes = diffElements(before.nodes, after.nodes, matchNodes, lists, ({ id }: Node, changes): NodeChange => {
    return { id, changes }
  })
  const hasDirection = [before.directed ?? true, after.directed ?? true] as const
  const match = (matches: Matches<Edge>) => matchEdges(matches, ...hasDirection)
  const edges = diffElements(before.edges, after.edges, match, lists, (edge: Edge, changes): EdgeChange => {
    const { id, source, target, relation } = edge
    return { ...(id !== undefined && { id }), source, target, ...(relation !== undefined && { relation }), changes }
  })
  const withoutElements = ({ nodes: _, edges: __, ...rest }: Partial<GraphContent>) => rest
  return {
    fields: changesBetween(withoutElements(before), withoutElements(after), ['content']),
    nodes,
    edges,
    truncated: lists.isTruncated
  }
}

const nothing: GraphContent = { nodes: [], edges: [] }

/** Returns the changed fields of a record, in the order of `to`. */
export function diffRecords(from: DiffedRecord, to: DiffedRecord): Change[] {
  return Object.keys(to).flatMap((field) => {
    const [old, now] = [from[field] ?? undefined, to[field] ?? undefined]
    return isEqual(old, now) ? [] : [changeOf([field], old, now)]
  })
}

/** Fills the lists up to their limits. */
class Lists {
  readonly #limit: number
  #bytes = 0
  isTruncated = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts the item and adds it to the list if there is space. */
  add<Item>(list: { count: number; items: Item[] }, make: () => Item) {
    list.count++
    if (list.items.length < this.#limit && this.#bytes < BYTES) {
      const item = make()
      list.items.push(item)
      this.#bytes += JSON.stringify(item).length
    } else this.isTruncated = true
  }
}

function diffElements<T extends Node | Edge, C>(
  from: readonly T[],
  to: readonly T[],
  match: (matches: Matches<T>) => void,
  lists: Lists,
  describe: (element: T, changes: Change[]) => C
) {
  const matches = new Matches(from, to)
  match(matches)
  const added = { count: 0, items: [] as T[] }
  const removed = { count: 0, items: [] as T[] }
  const changed = { count: 0, items: [] as C[] }
  let reordered = false
  let last = -1
  for (const [index, element] of to.entries()) {
    const origin = matches.originOf(index)
    if (origin < 0) {
      lists.add(added, () => element)
      continue
    }
    if (origin < last) reordered = true
    last = origin
    if (matches.isChanged(index)) {
      lists.add(changed, () => describe(element, changesBetween(from[origin] as T, element, [])))
    }
  }
  for (const index of matches.unmatchedFrom()) lists.add(removed, () => from[index] as T)
  return { added, removed, changed, reordered }
}

/** Returns the changed members. Compares metadata member by member. */
function changesBetween(from: object, to: object, path: Path): Change[] {
  const [before, after] = [from as Record<string, unknown>, to as Record<string, unknown>]
  const changes: Change[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [ownMember(before, key), ownMember(after, key)]
    if (isEqual(old, now)) continue
    if (key === 'metadata' && path.at(-1) !== 'metadata' && !isEmpty(old) && !isEmpty(now)) {
      changes.push(...changesBetween(isRecord(old) ? old : {}, isRecord(now) ? now : {}, [...path, key]))
      continue
    }
    changes.push(changeOf([...path, key], old, now))
  }
  return changes
}

function changeOf(path: Path, old: unknown, now: unknown): Change {
  return { pointer: pointerTo(path), ...(old !== undefined && { from: old }), ...(now !== undefined && { to: now }) }
}

/** Returns the value of an own property, even `__proto__`; otherwise undefined. */
function ownMember(record: Record<string, unknown>, key: string) {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function isEmpty(value: unknown) {
  return isRecord(value) && Object.keys(value).length === 0
}
