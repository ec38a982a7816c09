import { Readable } from 'node:stream'
import { zstdDecompress } from 'node:zlib'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Budget, Share } from './budget.ts'

/**
 * A file between the thread that writes it and its reader, who may be slow: the thread never waits. The file waits in
 * compressed pieces, which are decompressed when read. The holder with the most waiting loses it to holders with less.
 */
export class Spool extends Readable {
  readonly #share: Share
  readonly #pieces: Uint8Array[] = []
  #isWanted = false
  #isUnpacking = false
  #isComplete = false

  /** Throws `server-busy` if the budget is spent and no other holder has more of it. */
  constructor(budget: Budget) {
    super()
    const share = budget.share(() => this.destroy(new ProblemError('server-busy', { retryAfter: 5 })))
    // Taking one byte checks for room. The share gives it back, so that it holds nothing before it begins.
    share.take(1)
    share.release()
    this.#share = share
  }

  /** Adds a piece, compressed by zstd. */
  add(piece: Uint8Array) {
    if (this.destroyed) return
    try {
      // A file that has begun may exceed the budget, up to its double.
      this.#share.take(piece.byteLength, { mustCome: true })
    } catch (error) {
      this.destroy(error as Error)
      return
    }
    this.#pieces.push(piece)
    this.#next()
  }

  /** Marks the last piece as added. */
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
    // Pushing an empty piece would not satisfy the reader.
    if (bytes.length > 0) {
      this.#isWanted = false
      this.push(bytes)
    }
    this.#next()
  }
}
