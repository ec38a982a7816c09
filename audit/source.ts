import type { LogLine } from './line.ts'
import { hashesIn, type Place, TILE_WIDTH, widthOf } from './tiles.ts'
import { HASH_LENGTH, type Hashes } from './tree.ts'

/**
 * A log that is read: a folder, a server, a database. Nothing of it is trusted. What is not there is undefined; a source throws
 * Unreadable where it cannot tell. It returns at most one byte more than a tile or bundle may have.
 */
export interface LogSource {
  /** The signed checkpoint. */
  checkpoint(): Promise<string>
  /** The verifier key, by the source's own word. */
  key(): Promise<string | undefined>
  /** The hashes of a tile. */
  tile(place: Place): Promise<Uint8Array | undefined>
  /** The entries of a bundle. They are undefined below the first index that was kept, if the log was pruned. */
  bundle(place: Place): Promise<Uint8Array | undefined>
  /**
   * The lines of all entries that are kept, in the order of their indices. Throws EntryError where one is malformed. Missing if the
   * source has none.
   */
  lines?(): AsyncIterable<LogLine>
  /** The number of events that are not in the tree yet, which has this size and keeps entries from the index on. */
  pending?(size: number, firstIndex: number): Promise<number | undefined>
}

/** A source, or something that was kept, cannot be read: nothing can be said about the log. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Returns the bytes of a tile. A partial tile may be gone where a full one has taken its place. */
export async function readTile(source: Pick<LogSource, 'tile'>, place: Place): Promise<Uint8Array | undefined> {
  const tile = await source.tile(place)
  if (tile !== undefined || place.width === TILE_WIDTH) return tile
  const full = await source.tile({ ...place, width: TILE_WIDTH })
  return full?.length === TILE_WIDTH * HASH_LENGTH ? full.subarray(0, place.width * HASH_LENGTH) : full
}

/** A tile that a computation needs, and that is not there yet. */
class Missing extends Error {
  readonly place: [level: number, index: number]

  constructor(level: number, index: number) {
    super()
    this.place = [level, index]
  }
}

/**
 * Computes something from the hashes of the tree of this size, such as a proof. Reads the tiles that it needs: a few for each level.
 * Throws Unreadable if one is missing.
 */
export async function computeFrom<T>(
  source: Pick<LogSource, 'tile'>,
  size: number,
  compute: (hashes: Hashes) => T
): Promise<T> {
  const tiles = new Map<string, Uint8Array>()
  const hashes = hashesIn((level, index) => {
    const tile = tiles.get(`${level}/${index}`)
    if (!tile) throw new Missing(level, index)
    return tile
  })
  for (;;) {
    try {
      return compute(hashes)
    } catch (error) {
      if (!(error instanceof Missing)) throw error
      const [level, index] = error.place
      const width = widthOf(level, index, size)
      const tile = width === 0 ? undefined : await readTile(source, { level, index, width })
      if (tile?.length !== width * HASH_LENGTH) throw new Unreadable(`tile ${index} of level ${level} is missing`)
      tiles.set(`${level}/${index}`, tile)
    }
  }
}
