import { Budget, type Share } from '../../graph/budget.ts'
import { jsonOf } from '../../graph/content.ts'

/** So much of what nobody uses at the moment is kept for the next, in bytes. */
const IDLE = 64 * 1024 * 1024

/** So much may be in use at once, in bytes, whoever reads how slowly. */
const BUSY = 256 * 1024 * 1024

interface Entry {
  json: Promise<Buffer> | undefined
  size: number
  /** Those who use it. Its size counts for the owner of the first of them. */
  users: Set<Share>
}

/** Content in use: its JSON in UTF-8, until it is released. */
export interface Lease {
  json: Buffer
  release(): void
}

/** Who uses content. */
export interface Reader {
  owner: string
  /** Called where somebody who uses less needs the memory: the content is released then. */
  cut?: () => void
  /** The content was stored a moment ago, so that a refusal would say what is not true. */
  mustCome?: boolean
}

/**
 * Large contents as they are sent. Unpacking one takes longer than sending it, so it is done once for all who want it,
 * and what was used last stays a while. Contents never change: another content has another id.
 */
export class ContentCache {
  /** By id, those used last at the end. */
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
   * nobody uses more of it than the owner would, and the errors of `loadPacked`.
   */
  async take(
    id: number,
    size: number,
    loadPacked: () => Promise<Buffer>,
    { owner, cut, mustCome }: Reader
  ): Promise<Lease> {
    const entry: Entry = this.#entries.get(id) ?? { json: undefined, size, users: new Set() }
    const share = this.#busy.share(
      owner,
      cut &&
        (() => {
          this.#release(entry, share)
          cut()
        })
    )
    if (entry.users.size === 0) share.take(entry.size, { mustCome: mustCome ?? false })
    entry.users.add(share)
    // Only now is there room for it.
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

  /** More than once is the same as once. */
  #release(entry: Entry, share: Share) {
    const [first, second] = entry.users
    if (!entry.users.delete(share)) return
    share.release()
    // The content is still there, for the next.
    if (share === first) second?.take(entry.size, { mustCome: true })
    this.#forget()
  }

  /** Lets go of what has not been used for longest. */
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
