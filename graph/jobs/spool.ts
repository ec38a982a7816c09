import { Readable } from 'node:stream'
import { zstdDecompress } from 'node:zlib'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Budget, Share } from './budget.ts'

/**
 * A buffer between the thread that writes a file and a possibly slow reader. The thread never waits. The buffer stores
 * compressed chunks and decompresses them when they are read. If memory is scarce, the holder with the most buffered bytes
 * loses a file to a holder with fewer.
 */
export class Spool extends Readable {
  readonly #share: Share
  readonly #pieces: Uint8Array[] = []
  #isWanted = false
  #isUnpacking = false
  #isComplete = false

  /** Throws `server-busy` if the budget is exhausted and no other holder uses more memory than this one. */
  constructor(budget: Budget) {
    super()
    const share = budget.share(() => this.destroy(new ProblemError('server-busy', { retryAfter: 5 })))
    // Reserves and releases one byte to check that there is space. An empty buffer uses none of the budget.
    share.take(1)
    share.release()
    this.#share = share
  }

  /** Adds a chunk that is compressed with zstd. */
  add(piece: Uint8Array) {
    if (this.destroyed) return
    try {
      // A file whose transfer has begun may use up to twice the budget.
      this.#share.take(piece.byteLength, { mustCome: true })
    } catch (error) {
      this.destroy(error as Error)
      return
    }
    this.#pieces.push(piece)
    this.#next()
  }

  /** Marks the file as complete. */
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
    // The reader would keep waiting after an empty chunk.
    if (bytes.length > 0) {
      this.#isWanted = false
      this.push(bytes)
    }
    this.#next()
  }
}
