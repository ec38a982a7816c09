import { jsonOf } from '../../graph/content/content.ts'
import { Budget, type Share } from '../../graph/jobs/budget.ts'

/** The most bytes of contents that are kept while nobody uses them. */
const IDLE = 64 * 1024 * 1024

/** The most bytes of contents in use at once. */
const BUSY = 256 * 1024 * 1024

interface Entry {
  json: Promise<Buffer> | undefined
  size: number
  /** The shares of its users. Its size counts for the first one. */
  users: Set<Share>
}

/** A content in use: its JSON in UTF-8, until `release` is called. */
export interface Lease {
  json: Buffer
  release(): void
}

/** A user of a content. */
export interface Reader {
  /** Called after the content was released because an owner with less needs the memory. */
  cut?: () => void
  /** The request has made a change, so that it cannot be refused any more. */
  mustCome?: boolean
}

/**
 * Large contents, unpacked. Unpacking takes longer than sending, so concurrent requests share the result, and the contents that
 * were used last are kept. The content of an id never changes.
 */
export class ContentCache {
  /** By id, in the order of their last use. */
  readonly #entries = new Map<number, Entry>()
  readonly #idle: number
  readonly #busy: Budget

  constructor(idle = IDLE, busy = BUSY) {
    this.#idle = idle
    this.#busy = new Budget(busy, 'Too much content is being sent.')
  }

  /** Tells whether the content is here, so that it need not be loaded. */
  has(id: number) {
    return this.#entries.has(id)
  }

  /**
   * Returns the content for use. If it is not here, `loadPacked` loads it. Throws `server-busy` if too much is in use and
   * no other holder uses more of it, and the errors of `loadPacked`.
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
    // Loads only after room was taken.
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

  /** Ends the use of the entry. Further calls do nothing. */
  #release(entry: Entry, share: Share) {
    const [first, second] = entry.users
    if (!entry.users.delete(share)) return
    share.release()
    // The content now counts for the next user.
    if (share === first) second?.inherit(entry.size)
    this.#forget()
  }

  /** Removes unused contents, those unused for longest first, until few enough bytes are left. */
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
