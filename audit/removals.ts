import type { Json } from './canonical.ts'
import { erasedParts, type ShownEvent } from './line.ts'

// Erased parts and pruned entries. The log tells of them by events of its own: removals without such an event are a fault.

/** The types of these events. */
export const [ERASED, PRUNED] = ['AUDIT_ERASED', 'AUDIT_PRUNED'] as const

/** The parts of events that were erased. */
export interface Erasure {
  parts: number
  events: number
  /** The parts that no event AUDIT_ERASED in the tree tells of. */
  uncovered: number
}

/** Collects erasures and the events that tell of them. Its memory grows with the number of both. */
export class Removals {
  #parts = 0
  #told = 0
  readonly #erased: { index: number; id: number; parts: number }[] = []
  readonly #ranges: { from: number; to: number }[] = []
  #firstIndex = 0

  /** Takes in the event at the index, whose entry is in the tree. */
  add(index: number, shown: ShownEvent): void {
    const parts = erasedParts(shown).length
    if (parts > 0) {
      this.#parts += parts
      this.#erased.push({ index, id: shown.id, parts })
    }
    if (shown.outcome !== 'SUCCESS' || !shown.data) return
    if (shown.type === ERASED) {
      const { parts, fromId, toId } = shown.data
      this.#told += countOf(parts)
      this.#ranges.push({ from: countOf(fromId), to: countOf(toId) })
    }
    if (shown.type === PRUNED) this.#firstIndex = Math.max(this.#firstIndex, countOf(shown.data.firstIndex))
  }

  /** The first index that was kept, as the events AUDIT_PRUNED tell; 0 without any. */
  get firstIndexTold(): number {
    return this.#firstIndex
  }

  /** Returns the erasures, and the index of the first one that is outside of all ranges that were told. */
  erasure(): Erasure & { firstIndex?: number } {
    const outside = this.#outside()
    const alien = outside.reduce((sum, { parts }) => sum + parts, 0)
    const uncovered = Math.max(alien, this.#parts - this.#told)
    const first = outside.reduce((least, { index }) => Math.min(least, index), Number.POSITIVE_INFINITY)
    return {
      parts: this.#parts,
      events: this.#erased.length,
      uncovered,
      ...(outside.length > 0 && { firstIndex: first })
    }
  }

  /** Returns the erasures of ids that are in none of the ranges. */
  #outside() {
    const ranges = this.#ranges.toSorted((a, b) => a.from - b.from)
    let [next, end] = [0, 0]
    return this.#erased
      .toSorted((a, b) => a.id - b.id)
      .filter(({ id }) => {
        for (let range = ranges[next]; range && range.from <= id; range = ranges[++next]) end = Math.max(end, range.to)
        return id > end
      })
  }
}

/** Returns the count that the data of an event has, as digits or as a number; 0 for anything else. */
function countOf(value: Json | undefined): number {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : 0
}
