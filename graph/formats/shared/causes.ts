import { type Fault, MAX_FAULTS } from '../../../schemas/problem.ts'
import { shortened } from '../../content/pointers.ts'

/** A position in a file: an offset in its text, a JSON pointer, or a line and column from a parser. Undefined if unknown. */
export type Place = number | string | { line: number; column: number } | undefined

/** A fault in a file, with the positions at which it occurs. */
export interface Cause {
  /** The first positions. */
  places: Place[]
  count: number
  fault: Omit<Fault, 'line' | 'column' | 'pointer' | 'count' | 'lines'>
}

/** The maximum number of positions per cause. */
const PLACES = 10

/** The maximum length of a detail, in UTF-16 units. Details may quote the file. */
const LONGEST_DETAIL = 500

/** The first 50 faults in a file, grouped by cause, and the total number of faults. */
export class Causes {
  readonly #all = new Map<string, Cause>()
  count = 0

  get list() {
    return [...this.#all.values()]
  }

  /** Adds a fault. Faults with the same detail in the same file share a cause. In JSON, they must also affect the same member. */
  add(place: Place, code: string, detail: string, file = '') {
    this.count++
    const about = typeof place === 'string' ? place.replace(/\/\d+(?=\/|$)/g, '/0') : ''
    const fault = { code, detail: shortened(detail, LONGEST_DETAIL) }
    const cause = `${file} ${code} ${about} ${fault.detail}`
    const known = this.#all.get(cause)
    if (known) {
      known.count++
      if (known.places.length < PLACES) known.places.push(place)
    } else if (this.#all.size < MAX_FAULTS) this.#all.set(cause, { places: [place], count: 1, fault })
  }
}
