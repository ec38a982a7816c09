import { Readable } from 'node:stream'
import { zstdDecompress } from 'node:zlib'
import { ProblemError } from '../schemas/errors.ts'
import type { Budget, Share } from './budget.ts'

/**
 * A file on its way from the thread that writes it to whoever reads it, however slowly: the thread never waits. It comes
 * and stays in packed pieces, each of which is unpacked when it is read. Who has most waiting loses it to who has less.
 */
export class Spool extends Readable {
  readonly #share: Share
  readonly #pieces: Uint8Array[] = []
  #isWanted = false
  #isUnpacking = false
  #isComplete = false

  /** Throws `server-busy` where too much waits to begin with more, and nobody has more of it than this user. */
  constructor(budget: Budget, user: string) {
    super()
    const share = budget.share(user, () => this.destroy(new ProblemError('server-busy', { retryAfter: 5 })))
    // One byte tells whether there is room. It is given back: what has not begun is no share to lose.
    share.take(1)
    share.release()
    this.#share = share
  }

  /** Takes a piece, packed by zstd. */
  add(piece: Uint8Array) {
    if (this.destroyed) return
    try {
      // What has begun goes on beyond the budget, to the double.
      this.#share.take(piece.byteLength, { mustCome: true })
    } catch (error) {
      this.destroy(error as Error)
      return
    }
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
    this.#pieces.length = 0
    this.#share.release()
    callback(error)
  }

  #next() {
    if (!this.#isWanted || this.#isUnpacking || this.destroyed) return
    const piece = this.#pieces.shift()
    if (piece) {
      this.#isUnpacking = true
      this.#share.giveBack(piece.byteLength)
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
