import { hashesIn, keepHashes } from '../../audit/tiles.ts'
import { consistencyProof, type Hashes, inclusionProof } from '../../audit/tree.ts'
import type { Db } from '../store.ts'
import { findLeaf, type Tiles, withTiles } from './log.ts'

/** The place of an event in the log, and the hashes from there to the root. */
export interface Inclusion {
  index: number
  hashes: Buffer[]
}

/** The most hashes that are kept for later proofs: 10 MB. */
const KEPT = 65_536

/** Makes proofs of the tree of one origin, and keeps the hashes that take longest. */
export class AuditProver {
  readonly #db: Db
  readonly #hashes: Hashes
  /** The tiles of the proof that is being made. */
  #tiles: Tiles = () => Buffer.alloc(0)

  constructor(db: Db) {
    this.#db = db
    this.#hashes = keepHashes(
      hashesIn((level, index) => this.#tiles(level, index)),
      KEPT
    )
  }

  /** Returns the proof that the event is in the tree of this size; undefined if it is not. */
  async inclusion(id: number, size: number): Promise<Inclusion | undefined> {
    const index = await findLeaf(this.#db, id)
    if (index === undefined || index >= size) return undefined
    return { index, hashes: await this.#prove((hashes) => inclusionProof(index, size, hashes)) }
  }

  /** Returns the proof that the tree of the size `to` begins with that of the size `from`, at least 1. */
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
