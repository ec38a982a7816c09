import { currentRequester, type Requester, Slots } from '../../graph/jobs/shares.ts'
import { storeClosed } from '../store.ts'

export interface PoolOptions<T> {
  /** Opens a member. */
  open: () => T
  /** The maximum number of members. */
  size: number
  /** The maximum number of callers that may wait for a member. Unlimited by default. */
  queueLimit?: number
}

/** A pool of connections or threads that are opened on demand. Callers wait their turn if all are in use. */
export class Pool<T> {
  readonly #open: () => T
  readonly #size: number
  readonly #slots: Slots
  /** The open members, each with the function that frees its slot. */
  readonly #members = new Map<T, () => void>()
  #free: T[] = []
  #isClosed = false

  constructor({ open, size, queueLimit = Number.POSITIVE_INFINITY }: PoolOptions<T>) {
    this.#open = open
    this.#size = size
    this.#slots = new Slots({ slots: size, waiting: queueLimit })
  }

  /** All open members, free or in use. */
  get members(): Iterable<T> {
    return this.#members.keys()
  }

  /**
   * Takes a free member. Returns undefined if all are in use. Throws StoreUnavailable after `close`, and rethrows errors from
   * `open`.
   */
  takeNow(): T | undefined {
    if (this.#isClosed) throw storeClosed()
    const free = this.#free.pop()
    if (free !== undefined || this.#members.size >= this.#size) return free
    const member = this.#open()
    this.#members.set(member, () => {})
    return member
  }

  /**
   * Takes a member, waiting for one if necessary. Throws the same errors as `takeNow`, and `server-busy` if too many callers
   * wait. Throws `request-aborted` only if the requester has a signal, because work that outlives its request continues after
   * the client has disconnected.
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

  /** Returns a member to the pool. */
  giveBack(member: T) {
    this.#free.push(member)
    this.#members.get(member)?.()
  }

  /** Removes a failed member. If it was in use, its caller must not return it. */
  remove(member: T) {
    const release = this.#members.get(member)
    this.#members.delete(member)
    this.#free = this.#free.filter((free) => free !== member)
    release?.()
  }

  /** Rejects current and future callers. Returns the members so that the caller can close them. */
  close(): T[] {
    this.#isClosed = true
    this.#slots.close(storeClosed())
    return [...this.#members.keys()]
  }
}
