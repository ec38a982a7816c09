import { Readable } from 'node:stream'
import { zstdDecompress } from 'node:zlib'
import { ProblemError } from './errors.ts'

/** How much of what is written waits for those who read it, as it is packed, in bytes: in all and of each user. */
export class SpoolBudget {
  readonly #limit: number
  readonly #share: number
  readonly #spent = new Map<string, number>()
  #total = 0

  /** One user may have a quarter. */
  constructor(limit: number) {
    this.#limit = limit
    this.#share = limit / 4
  }

  /** Throws `server-busy` where too much waits to begin with more. What has begun may go beyond by one file. */
  expectRoom(user: string) {
    if (this.#total < this.#limit && (this.#spent.get(user) ?? 0) < this.#share) return
    throw new ProblemError('server-busy', { detail: 'Too many large files are being sent.', retryAfter: 5 })
  }

  spend(user: string, bytes: number) {
    this.#total += bytes
    const spent = (this.#spent.get(user) ?? 0) + bytes
    if (spent > 0) this.#spent.set(user, spent)
    else this.#spent.delete(user)
  }

  get total() {
    return this.#total
  }
}

/**
 * A file on its way from the thread that writes it to whoever reads it, however slowly: the thread never waits. It comes
 * and stays in packed pieces, each of which is unpacked when it is read.
 */
export class Spool extends Readable {
  readonly #budget: SpoolBudget
  readonly #user: string
  readonly #pieces: Uint8Array[] = []
  #isWanted = false
  #isUnpacking = false
  #isComplete = false

  constructor(budget: SpoolBudget, user: string) {
    super()
    this.#budget = budget
    this.#user = user
  }

  /** Takes a piece, packed by zstd. */
  add(piece: Uint8Array) {
    if (this.destroyed) return
    this.#budget.spend(this.#user, piece.byteLength)
    this.#pieces.push(piece)
    this.#next()
  }

  /** Says that there are no more pieces. */
  complete() {
    this.#isComplete = true
    this.#next()
  }

  override _read() {
    this.#isWanted = true
    this.#next()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void) {
    for (const piece of this.#pieces.splice(0)) this.#budget.spend(this.#user, -piece.byteLength)
    callback(error)
  }

  #next() {
    if (!this.#isWanted || this.#isUnpacking || this.destroyed) return
    const piece = this.#pieces.shift()
    if (piece) {
      this.#isUnpacking = true
      this.#budget.spend(this.#user, -piece.byteLength)
      zstdDecompress(piece, (error, bytes) => this.#give(error, bytes))
    } else if (this.#isComplete) {
      this.#isWanted = false
      this.push(null)
    }
  }

  #give(error: Error | null, bytes: Buffer) {
    this.#isUnpacking = false
    if (this.destroyed) return
    if (error) {
      this.destroy(error)
      return
    }
    // Nothing is no answer to who reads.
    if (bytes.length > 0) {
      this.#isWanted = false
      this.push(bytes)
    }
    this.#next()
  }
}
