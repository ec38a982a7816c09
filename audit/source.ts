import type { LogLine } from './line.ts'
import { hashesIn, type Place, TILE_WIDTH, widthOf } from './tiles.ts'
import { HASH_LENGTH, type Hashes } from './tree.ts'

/**
 * An untrusted log in a folder, on a server or in a database. Methods return undefined if data is missing, and throw Unreadable
 * if they cannot tell whether it is missing. They return at most one byte more than the maximum length of a tile or bundle.
 */
export interface LogSource {
  /** The signed checkpoint. */
  checkpoint(): Promise<string>
  /** The verifier key, as claimed by the source itself. */
  key(): Promise<string | undefined>
  /** The hashes of a tile. */
  tile(place: Place): Promise<Uint8Array | undefined>
  /** The entries of a bundle. Undefined below the first kept index if the log was pruned. */
  bundle(place: Place): Promise<Uint8Array | undefined>
  /**
   * Yields the lines of all kept entries in index order. Throws EntryError if a line is malformed. Undefined if the source has no
   * lines.
   */
  lines?(): AsyncIterable<LogLine>
  /** Returns the number of events that are not in the tree yet, given the size of the tree and the first kept index. */
  pending?(size: number, firstIndex: number): Promise<number | undefined>
}

/** Thrown if a source or a piece of evidence cannot be read, so nothing can be concluded about the log. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Returns the bytes of a tile. If a partial tile no longer exists, reads the full tile that replaced it. */
export async function readTile(source: Pick<LogSource, 'tile'>, place: Place): Promise<Uint8Array | undefined> {
  const tile = await source.tile(place)
  if (tile !== undefined || place.width === TILE_WIDTH) return tile
  const full = await source.tile({ ...place, width: TILE_WIDTH })
  return full?.length === TILE_WIDTH * HASH_LENGTH ? full.subarray(0, place.width * HASH_LENGTH) : full
}

/** Thrown if a computation needs a tile that has not been read yet. */
class Missing extends Error {
  readonly place: [level: number, index: number]

  constructor(level: number, index: number) {
    super()
    this.place = [level, index]
  }
}

/**
 * Computes a value, such as a proof, from the hashes of the tree at this size. Reads only the tiles that the computation needs,
 * a few per level. Throws Unreadable if a tile is missing.
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
