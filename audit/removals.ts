import type { Json } from './canonical.ts'
import { type Part, type Parts, parts } from './entry.ts'
import { erasedParts, type ShownEvent } from './line.ts'

// Erased parts and pruned entries. The log records every removal as an event, so an unrecorded removal is a fault.

/** The types of the events that record removals. */
export const [ERASED, PRUNED] = ['AUDIT_ERASED', 'AUDIT_PRUNED'] as const

/** The erased parts of events. */
export interface Erasure {
  parts: number
  events: number
  /** The number of parts not covered by any AUDIT_ERASED event in the tree. */
  uncovered: number
}

/**
 * Returns the name of the AUDIT_ERASED property that lists the events in which this part was erased, as id ranges such as
 * "3-7,12".
 */
export function idsOf(part: Part) {
  return `ids.${part}` as const
}

interface IdRange {
  from: number
  to: number
}

/** Collects erasures and the events that record them. Memory use grows with the number of both. */
export class Removals {
  readonly #erased: Parts<{ index: number; id: number }[]> = { details: [], principal: [], request: [] }
  readonly #told: Parts<IdRange[]> = { details: [], principal: [], request: [] }
  #events = 0
  #firstIndex = 0

  /** Adds the event at this index, whose entry must be in the tree. */
  add(index: number, shown: ShownEvent): void {
    const lost = erasedParts(shown)
    if (lost.length > 0) this.#events++
    for (const part of lost) this.#erased[part].push({ index, id: shown.id })
    if (shown.outcome !== 'SUCCESS' || !shown.data) return
    if (shown.type === ERASED) {
      for (const part of parts) this.#tell(part, rangesIn(shown.data[idsOf(part)]), shown.id)
    }
    if (shown.type !== PRUNED) return
    const firstIndex = countOf(shown.data.firstIndex)
    // An event covers only removals that precede it.
    if (firstIndex <= index) this.#firstIndex = Math.max(this.#firstIndex, firstIndex)
  }

  /** Adds ranges of ids recorded by an event. They cover only events older than that event. */
  #tell(part: Part, ranges: readonly IdRange[], id: number) {
    for (const { from, to } of ranges) if (from < id) this.#told[part].push({ from, to: Math.min(to, id - 1) })
  }

  /** The index of the first kept entry according to AUDIT_PRUNED events, or 0 if there are no such events. */
  get firstIndexTold(): number {
    return this.#firstIndex
  }

  /** Returns the erasures, and the index of the first event with an unrecorded erasure. */
  erasure(): Erasure & { firstIndex?: number } {
    const uncovered = parts.flatMap((part) => outside(this.#erased[part], this.#told[part]))
    const first = uncovered.reduce((least, { index }) => Math.min(least, index), Number.POSITIVE_INFINITY)
    return {
      parts: parts.reduce((sum, part) => sum + this.#erased[part].length, 0),
      events: this.#events,
      uncovered: uncovered.length,
      ...(uncovered.length > 0 && { firstIndex: first })
    }
  }
}

/** Returns the events whose ids are not in any of the ranges. */
function outside<Event extends { id: number }>(events: readonly Event[], ranges: readonly IdRange[]): Event[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from)
  let [next, end] = [0, 0]
  return events
    .toSorted((a, b) => a.id - b.id)
    .filter(({ id }) => {
      for (let range = sorted[next]; range && range.from <= id; range = sorted[++next]) end = Math.max(end, range.to)
      return id > end
    })
}

/** Formats sorted ids as ranges, such as "3-7,12". */
export function rangesText(ids: readonly number[]): string {
  const ranges: IdRange[] = []
  for (const id of ids) {
    const last = ranges.at(-1)
    if (last && id === last.to + 1) last.to = id
    else ranges.push({ from: id, to: id })
  }
  return ranges.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join()
}

/** Parses ranges in the format of `rangesText`, skipping malformed ones. Returns an empty list if the value is not a string. */
function rangesIn(value: Json | undefined): IdRange[] {
  if (typeof value !== 'string') return []
  return value.split(',').flatMap((text) => {
    const [, from, to = from] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(text) ?? []
    return from === undefined ? [] : [{ from: Number(from), to: Number(to) }]
  })
}

/** Parses a count in the data of an event, which may be a string of digits or a number. Returns 0 for anything else. */
function countOf(value: Json | undefined): number {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 0
}
