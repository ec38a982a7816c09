import { jsonOf } from './content.ts'
import { ProblemError } from './errors.ts'

/** So much of what nobody uses at the moment is kept for the next, in bytes. */
const IDLE = 64 * 1024 * 1024

/** So much may be in use at once, in bytes, whoever reads how slowly. */
const BUSY = 256 * 1024 * 1024

interface Entry {
  json: Promise<Buffer>
  size: number
  users: number
}

/** Content in use: its JSON in UTF-8, until it is released. */
export interface Lease {
  json: Buffer
  release(): void
}

/**
 * Large contents as they are sent. Unpacking one takes longer than sending it, so it is done once for all who want it,
 * and what was used last stays a while. Contents never change: another content has another id.
 */
export class ContentCache {
  /** By id, those used last at the end. */
  readonly #entries = new Map<number, Entry>()
  readonly #idle: number
  readonly #busy: number

  constructor(idle = IDLE, busy = BUSY) {
    this.#idle = idle
    this.#busy = busy
  }

  /** Whether the content needs not be fetched. */
  has(id: number) {
    return this.#entries.has(id)
  }

  /**
   * The content for use, unpacked if it is not here. Throws `server-busy` where too much is in use, unless it
   * `mustCome`: who has just stored it is not told that nothing was changed.
   */
  async take(id: number, size: number, packed: Buffer | undefined, { mustCome = false } = {}): Promise<Lease> {
    let entry = this.#entries.get(id)
    if (!entry) {
      if (!mustCome && this.#sum(({ users }) => users > 0) + size > this.#busy) {
        throw new ProblemError('server-busy', { detail: 'Too much content is being sent.', retryAfter: 5 })
      }
      if (!packed) throw new Error(`content ${id} is not here`)
      entry = { json: jsonOf(packed), size, users: 0 }
    }
    entry.users++
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    this.#forget()
    try {
      return { json: await entry.json, release: this.#releaseOnce(entry) }
    } catch (error) {
      this.#entries.delete(id)
      throw error
    }
  }

  #releaseOnce(entry: Entry) {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      entry.users--
      this.#forget()
    }
  }

  /** Lets go of what has not been used for longest. */
  #forget() {
    let idle = this.#sum(({ users }) => users === 0)
    for (const [id, { users, size }] of this.#entries) {
      if (idle <= this.#idle) return
      if (users > 0) continue
      this.#entries.delete(id)
      idle -= size
    }
  }

  #sum(isMeant: (entry: Entry) => boolean) {
    let total = 0
    for (const entry of this.#entries.values()) if (isMeant(entry)) total += entry.size
    return total
  }
}
