import { EMPTY_ROOT, HASH_LENGTH, type Hashes, hashNode, rootOfRow } from './tree.ts'

// Tiles and entry bundles (c2sp.org/tlog-tiles). A tile is a row of up to 256 hashes at every eighth level of the tree. A
// bundle contains up to 256 entries.

/** The number of hashes in a full tile, and of entries in a full bundle. */
export const TILE_WIDTH = 256

/** The number of tree levels per tile. */
const TILE_HEIGHT = 8

/** The maximum length of an entry in a bundle, in bytes. */
export const LONGEST_ENTRY = 0xffff

/** The position of a tile or entry bundle, and the number of hashes or entries that it contains, from 1 to 256. */
export interface Place {
  level: number | 'entries'
  index: number
  width: number
}

/** Returns the path of a tile or bundle, such as `tile/0/x001/067.p/17`. */
export function pathOf({ level, index, width }: Place): string {
  const groups = [String(index % 1000).padStart(3, '0')]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`)
  }
  return `tile/${level}/${groups.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

const PATH = /^tile\/(0|[1-9]\d?|entries)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** Parses a path. Returns undefined if it is not the path of a tile or bundle. */
export function placeOf(path: string): Place | undefined {
  const [, level = '', groups = '', partial] = PATH.exec(path) ?? []
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const width = partial === undefined ? TILE_WIDTH : Number(partial)
  const place = { level: level === 'entries' ? level : Number(level), index, width } as const
  // Each position has exactly one path, so reject extra leading zeros and the width of a full tile.
  return pathOf(place) === path && (level === 'entries' || Number(level) < 64) ? place : undefined
}

/**
 * Returns the number of hashes in the tile, or of entries in the bundle, for a tree of this size. Returns 0 if the tile or bundle
 * does not exist.
 */
export function widthOf(level: Place['level'], index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return Math.min(TILE_WIDTH, Math.max(0, hashes - index * TILE_WIDTH))
}

/** Returns a tile of the tree. It may contain more hashes than a tree of the required size needs. */
type ReadTile = (level: number, index: number) => Uint8Array

/**
 * Locates the stored hashes from which the hash of a complete subtree is computed: the level and index of their tile, the
 * position of the first hash, and the number of hashes.
 */
export function tileOf(level: number, index: number) {
  const count = 2 ** (level % TILE_HEIGHT)
  const first = index * count
  return {
    level: Math.floor(level / TILE_HEIGHT),
    index: Math.floor(first / TILE_WIDTH),
    first: first % TILE_WIDTH,
    count
  }
}

/** Returns a function that computes the hashes of complete subtrees from tiles. */
export function hashesIn(readTile: ReadTile): Hashes {
  return (level, index) => {
    const tile = tileOf(level, index)
    return completeHash(readTile(tile.level, tile.index), tile.first, tile.count)
  }
}

/**
 * The minimum height within a tile at which hashes are cached. A cached hash takes 15 to 127 node hashes to compute, whereas
 * one hash at each of the three lower heights takes 11 in total.
 */
const KEPT_HEIGHT = 4

/**
 * Wraps `hashes` in an LRU cache of up to `limit` of the most expensive hashes, at about 150 bytes each. Cached hashes stay
 * valid as the tree grows, but each tree needs its own cache. A full tile has 30 such hashes.
 */
export function keepHashes(hashes: Hashes, limit: number): Hashes {
  const kept = new Map<string, string>()
  return (level, index) => {
    if (level % TILE_HEIGHT < KEPT_HEIGHT) return hashes(level, index)
    const place = `${level}/${index}`
    // Cache strings, because a 32-byte buffer is a slice of a larger buffer and would keep all of it in memory.
    const hash = kept.get(place) ?? hashes(level, index).toString('latin1')
    // The first entry of the map is the least recently used.
    kept.delete(place)
    kept.set(place, hash)
    for (const first of kept.keys()) {
      if (kept.size <= limit) break
      kept.delete(first)
    }
    return Buffer.from(hash, 'latin1')
  }
}

/** Returns the root over `count` hashes of a tile, starting at position `first`. `count` must be a power of two. */
function completeHash(tile: Uint8Array, first: number, count: number): Buffer {
  if (tile.length < (first + count) * HASH_LENGTH) throw new RangeError('a tile is shorter than the tree requires')
  return rootOfRow(tile.subarray(first * HASH_LENGTH, (first + count) * HASH_LENGTH))
}

/** A tree that grows at its right edge. It stores only the last tile of each level. */
export class GrowingTree {
  readonly #onTile: (level: number, index: number, hashes: Buffer) => void
  /** The last tile of each level, starting at level 0. Each has fewer than 256 hashes. */
  readonly #edge: { hashes: Buffer; width: number }[]
  #size: number

  /**
   * Continues a tree of this size. `edge` contains the last tile of each level, starting at level 0. The tile is empty if the
   * level has only full tiles. `onTile` is called with each tile that becomes full.
   */
  constructor(
    size = 0,
    edge: readonly Uint8Array[] = [],
    onTile: (level: number, index: number, hashes: Buffer) => void = () => {}
  ) {
    this.#size = size
    this.#onTile = onTile
    this.#edge = []
    for (let level = 0; TILE_WIDTH ** level <= size; level++) {
      const width = Math.floor(size / TILE_WIDTH ** level) % TILE_WIDTH
      const given = edge[level] ?? new Uint8Array()
      if (given.length !== width * HASH_LENGTH)
        throw new RangeError(`the last tile of level ${level} must have ${width} hashes`)
      const hashes = Buffer.alloc(TILE_WIDTH * HASH_LENGTH)
      hashes.set(given)
      this.#edge.push({ hashes, width })
    }
  }

  get size() {
    return this.#size
  }

  /** Appends the hash of a leaf. */
  append(leaf: Uint8Array) {
    this.#size++
    let hash = leaf
    for (let level = 0; ; level++) {
      const tile = this.#edge[level] ?? emptyTile()
      this.#edge[level] = tile
      tile.hashes.set(hash, tile.width * HASH_LENGTH)
      tile.width++
      if (tile.width < TILE_WIDTH) return
      const index = this.#size / TILE_WIDTH ** (level + 1) - 1
      this.#edge[level] = emptyTile()
      this.#onTile(level, index, tile.hashes)
      hash = completeHash(tile.hashes, 0, TILE_WIDTH)
    }
  }

  /** Returns the last tile of each level, in the form that the constructor expects. */
  edge(): Buffer[] {
    return this.#edge.map(({ hashes, width }) => Buffer.from(hashes.subarray(0, width * HASH_LENGTH)))
  }

  /** Returns the root of the tree. */
  root(): Buffer {
    // Complete subtrees along the edge get smaller from left to right, like the powers of two that add up to the size.
    let root: Buffer | undefined
    for (const { hashes, width } of this.#edge) {
      for (let count = 1, end = width; end > 0; count *= 2) {
        if (Math.floor(width / count) % 2 === 0) continue
        end -= count
        const hash = completeHash(hashes, end, count)
        root = root ? hashNode(hash, root) : hash
      }
    }
    return root ?? EMPTY_ROOT
  }
}

function emptyTile() {
  return { hashes: Buffer.alloc(TILE_WIDTH * HASH_LENGTH), width: 0 }
}

/** Encodes a bundle of entries, each prefixed with its length. Throws if an entry is too long. */
export function bundleOf(entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > LONGEST_ENTRY)
        throw new RangeError(`an entry has ${entry.length} bytes, more than a bundle can hold`)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(entry.length)
      return [length, entry]
    })
  )
}

/** Decodes the entries of a bundle. Throws if it is truncated. */
export function entriesOf(bundle: Uint8Array): Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length)
  const entries: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = start + 2 + (start + 2 <= bytes.length ? bytes.readUInt16BE(start) : 0)
    if (start + 2 > bytes.length || end > bytes.length)
      throw new RangeError(`the bundle is truncated in entry ${entries.length}`)
    entries.push(bytes.subarray(start + 2, end))
    start = end
  }
  return entries
}
