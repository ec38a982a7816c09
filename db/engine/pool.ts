import { StoreBusy, storeClosed } from '../store.ts'

export interface PoolOptions<T> {
  /** Opens a member. */
  open: () => T
  /** The most members. */
  size: number
  /** The most callers that may wait for a member; unlimited by default. */
  queueLimit?: number
}

/** A pool of connections or threads, opened as they are needed. Callers who find none free wait in their order. */
export class Pool<T> {
  readonly #open: () => T
  readonly #size: number
  readonly #queueLimit: number
  readonly #members = new Set<T>()
  #free: T[] = []
  readonly #waiting: PromiseWithResolvers<T>[] = []
  #isClosed = false

  constructor({ open, size, queueLimit = Number.POSITIVE_INFINITY }: PoolOptions<T>) {
    this.#open = open
    this.#size = size
    this.#queueLimit = queueLimit
  }

  /** The open members, free or in use. */
  get members(): Iterable<T> {
    return this.#members
  }

  /** Takes a free member; undefined if all are in use. Throws StoreUnavailable after `close`, and errors of `open`. */
  takeNow(): T | undefined {
    if (this.#isClosed) throw storeClosed()
    const free = this.#free.pop()
    if (free !== undefined || this.#members.size >= this.#size) return free
    return this.#add()
  }

  /** Takes a member, or waits for one. Throws like `takeNow`, and StoreBusy if too many wait. */
  async take(): Promise<T> {
    const member = this.takeNow()
    if (member !== undefined) return member
    if (this.#waiting.length >= this.#queueLimit) throw new StoreBusy(`${this.#queueLimit} queries wait already`)
    const waiting = Promise.withResolvers<T>()
    this.#waiting.push(waiting)
    return waiting.promise
  }

  /** Gives a member back. */
  giveBack(member: T) {
    const next = this.#waiting.shift()
    if (next) next.resolve(member)
    else this.#free.push(member)
  }

  /**
   * Removes a member that has failed: a free one, or one in use, which is not given back then. The next caller who waits gets
   * a new one.
   */
  remove(member: T) {
    if (!this.#members.delete(member)) return
    this.#free = this.#free.filter((free) => free !== member)
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      try {
        return next.resolve(this.#add())
      } catch (error) {
        // If none can be opened, nobody would come back to serve the others.
        next.reject(error)
      }
    }
  }

  /** Refuses callers who wait, and those who come later. Returns the members, which their owner ends. */
  close(): T[] {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(storeClosed())
    return [...this.#members]
  }

  #add() {
    const member = this.#open()
    this.#members.add(member)
    return member
  }
}
