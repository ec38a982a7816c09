import { jsonOf } from '../../graph/content/content.ts'
import { Budget, type Share } from '../../graph/jobs/budget.ts'

/** The maximum size of cached content that is not in use, in bytes. */
const IDLE = 64 * 1024 * 1024

/** The maximum size of all content in use, in bytes. */
const BUSY = 256 * 1024 * 1024

interface Entry {
  json: Promise<Buffer> | undefined
  size: number
  /** The shares of its users. The size is charged to the first one. */
  users: Set<Share>
}

/** Content in use, as JSON in UTF-8. Valid until `release` is called. */
export interface Lease {
  json: Buffer
  release(): void
}

/** A user of cached content. */
export interface Reader {
  /** Called after the content has been released to make room for a reader that uses less memory. */
  cut?: () => void
  /** Whether the request has already made a change and can no longer be refused. */
  mustCome?: boolean
}

/**
 * Caches large content in decompressed form. Decompressing takes longer than sending, so concurrent requests share the result,
 * and recently used content stays in the cache. Content with a given id never changes.
 */
export class ContentCache {
  /** The entries by id, least recently used first. */
  readonly #entries = new Map<number, Entry>()
  readonly #idle: number
  readonly #busy: Budget

  constructor(idle = IDLE, busy = BUSY) {
    this.#idle = idle
    this.#busy = new Budget(busy, 'Too much content is being sent. Try again shortly.')
  }

  /** Returns whether the content is cached and need not be loaded. */
  has(id: number) {
    return this.#entries.has(id)
  }

  /**
   * Returns a lease on the content. If the content is not cached, calls `loadPacked` to load it. Throws the errors of
   * `loadPacked`, or `server-busy` if too much content is in use and no other reader uses more.
   */
  async take(
    id: number,
    size: number,
    loadPacked: () => Promise<Buffer>,
    { cut, mustCome }: Reader = {}
  ): Promise<Lease> {
    const entry: Entry = this.#entries.get(id) ?? { json: undefined, size, users: new Set() }
    const share = this.#busy.share(
      cut &&
        (() => {
          this.#release(entry, share)
          cut()
        })
    )
    if (entry.users.size === 0) share.take(entry.size, { mustCome: mustCome ?? false })
    entry.users.add(share)
    // Loads the content only once memory has been reserved for it.
    entry.json ??= loadPacked().then(jsonOf)
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    this.#forget()
    try {
      return { json: await entry.json, release: () => this.#release(entry, share) }
    } catch (error) {
      if (this.#entries.get(id) === entry) this.#entries.delete(id)
      this.#release(entry, share)
      throw error
    }
  }

  /** Ends this share's use of an entry. Further calls do nothing. */
  #release(entry: Entry, share: Share) {
    const [first, second] = entry.users
    if (!entry.users.delete(share)) return
    share.release()
    // Charges the content to the next user.
    if (share === first) second?.inherit(entry.size)
    this.#forget()
  }

  /** Evicts unused content, least recently used first, until the rest fits within the limit. */
  #forget() {
    let idle = 0
    for (const { users, size } of this.#entries.values()) if (users.size === 0) idle += size
    for (const [id, { users, size }] of this.#entries) {
      if (idle <= this.#idle) return
      if (users.size > 0) continue
      this.#entries.delete(id)
      idle -= size
    }
  }
}
