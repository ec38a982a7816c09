import { type Fault, MAX_FAULTS } from '../../../schemas/problem.ts'
import { shortened } from '../../content/pointers.ts'

/** A place in a file: an offset in its text, a JSON pointer, or a position from a parser; undefined if unknown. */
export type Place = number | string | { line: number; column: number } | undefined

/** A fault of a file, for all places with the same cause. */
export interface Cause {
  /** The first places. */
  places: Place[]
  count: number
  fault: Omit<Fault, 'line' | 'column' | 'pointer' | 'count' | 'lines'>
}

/** The number of places that are kept of each cause. */
const PLACES = 10

/** Details of faults may quote the file; longer ones are cut off, in UTF-16 units. */
const LONGEST_DETAIL = 500

/** The faults of a file by cause: the first 50, and the number of all faults. */
export class Causes {
  readonly #all = new Map<string, Cause>()
  count = 0

  get list() {
    return [...this.#all.values()]
  }

  /** Adds a fault. Faults of a file with equal details have the same cause; in JSON, if they are about the same member. */
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
