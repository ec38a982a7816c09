import { hashesIn, keepHashes } from '../../audit/tiles.ts'
import { consistencyProof, type Hashes, inclusionProof } from '../../audit/tree.ts'
import type { Db } from '../store.ts'
import { findLeaf, type Tiles, withTiles } from './log.ts'

/** An event's position in the log, and the hashes of its inclusion proof. */
export interface Inclusion {
  index: number
  hashes: Buffer[]
}

/** The maximum number of hashes to cache for later proofs. A full cache takes about 10 MB. */
const KEPT = 65_536

/** Builds proofs for the tree of one origin and caches the hashes that take longest to compute. */
export class AuditProver {
  readonly #db: Db
  readonly #hashes: Hashes
  /** The tiles for the proof being built. */
  #tiles: Tiles = () => Buffer.alloc(0)

  constructor(db: Db) {
    this.#db = db
    this.#hashes = keepHashes(
      hashesIn((level, index) => this.#tiles(level, index)),
      KEPT
    )
  }

  /** Returns the proof that the tree of this size contains the event, or undefined if it does not. */
  async inclusion(id: number, size: number): Promise<Inclusion | undefined> {
    const index = await findLeaf(this.#db, id)
    if (index === undefined || index >= size) return undefined
    return { index, hashes: await this.#prove((hashes) => inclusionProof(index, size, hashes)) }
  }

  /** Returns the consistency proof between the trees of size `from`, which is at least 1, and size `to`. */
  consistency(from: number, to: number): Promise<Buffer[]> {
    return this.#prove((hashes) => consistencyProof(from, to, hashes))
  }

  #prove<T>(compute: (hashes: Hashes) => T): Promise<T> {
    return withTiles(this.#db, compute, (tiles) => {
      this.#tiles = tiles
      return compute(this.#hashes)
    })
  }
}
