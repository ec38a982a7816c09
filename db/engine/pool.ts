import { currentRequester, type Requester, Slots } from '../../graph/jobs/shares.ts'
import { storeClosed } from '../store.ts'

export interface PoolOptions<T> {
  /** Opens a member. */
  open: () => T
  /** The most members. */
  size: number
  /** The most callers that may wait for a member; unlimited by default. */
  queueLimit?: number
}

/** A pool of connections or threads, opened as they are needed. Callers who find none free wait for their turn. */
export class Pool<T> {
  readonly #open: () => T
  readonly #size: number
  readonly #slots: Slots
  /** The open members, each with the function that ends its use. */
  readonly #members = new Map<T, () => void>()
  #free: T[] = []
  #isClosed = false

  constructor({ open, size, queueLimit = Number.POSITIVE_INFINITY }: PoolOptions<T>) {
    this.#open = open
    this.#size = size
    this.#slots = new Slots({ slots: size, waiting: queueLimit })
  }

  /** The open members, free or in use. */
  get members(): Iterable<T> {
    return this.#members.keys()
  }

  /** Takes a free member; undefined if all are in use. Throws StoreUnavailable after `close`, and errors of `open`. */
  takeNow(): T | undefined {
    if (this.#isClosed) throw storeClosed()
    const free = this.#free.pop()
    if (free !== undefined || this.#members.size >= this.#size) return free
    const member = this.#open()
    this.#members.set(member, () => {})
    return member
  }

  /**
   * Takes a member, or waits for one. Throws like `takeNow`, and `server-busy` if too many wait; `request-aborted` only if the
   * requester has a signal: what a request leaves behind is done after its client has gone.
   */
  async take(requester: Requester = { holder: currentRequester().holder }): Promise<T> {
    if (this.#isClosed) throw storeClosed()
    const release = await this.#slots.take(requester)
    try {
      const member = this.takeNow() as T
      this.#members.set(member, release)
      return member
    } catch (error) {
      release()
      throw error
    }
  }

  /** Gives a member back. */
  giveBack(member: T) {
    this.#free.push(member)
    this.#members.get(member)?.()
  }

  /** Removes a member that has failed: a free one, or one in use, which is not given back then. */
  remove(member: T) {
    const release = this.#members.get(member)
    this.#members.delete(member)
    this.#free = this.#free.filter((free) => free !== member)
    release?.()
  }

  /** Refuses callers who wait, and those who come later. Returns the members, which their owner ends. */
  close(): T[] {
    this.#isClosed = true
    this.#slots.close(storeClosed())
    return [...this.#members.keys()]
  }
}
