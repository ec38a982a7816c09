/** The share of a second above which an event loop counts as busy. */
const BUSY = 0.9

/** How many seconds all processes must be busy before another one starts. */
const BUSY_FOR = 5

/** A process is superfluous if, without it, the others would be at most this busy, for this many seconds. */
const QUIET = 0.5
const QUIET_FOR = 180

/** Decides once a second how the number of processes follows the load. */
export class Scaling {
  readonly #most: number
  #busyFor = 0
  #quietFor = 0

  /** `most` is the maximum number of processes. */
  constructor(most: number) {
    this.#most = most
  }

  /**
   * Takes the share of the last second that each process was busy. Returns 1 if another process should start, -1 if one should
   * end, and otherwise 0.
   */
  decide(loads: readonly number[]): -1 | 0 | 1 {
    const total = loads.reduce((sum, load) => sum + load, 0)
    this.#busyFor = loads.every((load) => load >= BUSY) ? this.#busyFor + 1 : 0
    this.#quietFor = total <= QUIET * (loads.length - 1) ? this.#quietFor + 1 : 0
    if (this.#busyFor >= BUSY_FOR && loads.length < this.#most) return this.#decided(1)
    if (this.#quietFor >= QUIET_FOR && loads.length > 1) return this.#decided(-1)
    return 0
  }

  #decided<T>(change: T): T {
    this.#busyFor = 0
    this.#quietFor = 0
    return change
  }
}
