import { EMPTY_ROOT, HASH_LENGTH, type Hashes, hashNode, rootOfRow } from './tree.ts'

// The tiles of a log (c2sp.org/tlog-tiles): rows of 256 hashes, every eighth level of the tree, and bundles of as many entries.

/** The hashes of a full tile, and the entries of a full bundle. */
export const TILE_WIDTH = 256

/** The levels of the tree in a tile. */
const TILE_HEIGHT = 8

/** The longest entry of a bundle, in bytes. */
export const LONGEST_ENTRY = 0xffff

/** A tile, or a bundle of entries: its place, and how many hashes or entries it has, from 1 to 256. */
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

/** Returns the place that a path names; undefined if it names none. */
export function placeOf(path: string): Place | undefined {
  const [, level = '', groups = '', partial] = PATH.exec(path) ?? []
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const width = partial === undefined ? TILE_WIDTH : Number(partial)
  const place = { level: level === 'entries' ? level : Number(level), index, width } as const
  // Each place has one path: without further zeros in front, and without a width that is no partial one.
  return pathOf(place) === path && (level === 'entries' || Number(level) < 64) ? place : undefined
}

/** Returns how many hashes the tile has, or how many entries the bundle, in the tree of this size; 0 if there is none. */
export function widthOf(level: Place['level'], index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return Math.min(TILE_WIDTH, Math.max(0, hashes - index * TILE_WIDTH))
}

/** Returns a tile that is part of the tree: its hashes, of which there may be more than the tree of some size has. */
type ReadTile = (level: number, index: number) => Uint8Array

/** Returns the tile that has the hashes below a complete subtree: its level and index, and the first hash and their number. */
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

/** Returns the hashes of complete subtrees, by the tiles. */
export function hashesIn(readTile: ReadTile): Hashes {
  return (level, index) => {
    const tile = tileOf(level, index)
    return completeHash(readTile(tile.level, tile.index), tile.first, tile.count)
  }
}

/** The least height in a tile whose hashes are kept: they take 15 to 127 hashes of nodes each, those below it 11 in all. */
const KEPT_HEIGHT = 4

/**
 * Returns the same hashes of complete subtrees, and keeps up to `limit` of those that take longest, of 150 bytes or so each. They never
 * change while the tree grows; another tree needs another function. A tile with 256 hashes has 30 of them.
 */
export function keepHashes(hashes: Hashes, limit: number): Hashes {
  const kept = new Map<string, string>()
  return (level, index) => {
    if (level % TILE_HEIGHT < KEPT_HEIGHT) return hashes(level, index)
    const place = `${level}/${index}`
    // Text is kept, because a buffer of 32 bytes holds on to the larger one that it is cut from.
    const hash = kept.get(place) ?? hashes(level, index).toString('latin1')
    // The one used least recently is the first.
    kept.delete(place)
    kept.set(place, hash)
    for (const first of kept.keys()) {
      if (kept.size <= limit) break
      kept.delete(first)
    }
    return Buffer.from(hash, 'latin1')
  }
}

/** Returns the hash over some hashes of a tile: `count`, a power of two, from the one with this number on. */
function completeHash(tile: Uint8Array, first: number, count: number): Buffer {
  if (tile.length < (first + count) * HASH_LENGTH) throw new RangeError('a tile is shorter than the tree needs')
  return rootOfRow(tile.subarray(first * HASH_LENGTH, (first + count) * HASH_LENGTH))
}

/** A tree that grows at its right edge. It keeps the last tile of each level alone. */
export class GrowingTree {
  readonly #onTile: (level: number, index: number, hashes: Buffer) => void
  /** The last tiles, from level 0 on; each has less than 256 hashes. */
  readonly #edge: { hashes: Buffer; width: number }[]
  #size: number

  /**
   * Continues a tree of this size, whose last tiles are given from level 0 on, empty where the level has full ones alone. `onTile` is
   * called with each tile that becomes full.
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
        throw new RangeError(`the last tile of level ${level} has no ${width} hashes`)
      const hashes = Buffer.alloc(TILE_WIDTH * HASH_LENGTH)
      hashes.set(given)
      this.#edge.push({ hashes, width })
    }
  }

  get size() {
    return this.#size
  }

  /** Adds the hash of a leaf. */
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

  /** Returns the last tiles, from level 0 on, as the constructor takes them. */
  edge(): Buffer[] {
    return this.#edge.map(({ hashes, width }) => Buffer.from(hashes.subarray(0, width * HASH_LENGTH)))
  }

  /** Returns the root of the tree. */
  root(): Buffer {
    // The complete subtrees along the edge become smaller from left to right, as do the powers of two in the size.
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

/** Returns a bundle of entries: each behind its length. Throws where an entry is too long. */
export function bundleOf(entries: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > LONGEST_ENTRY) throw new RangeError(`an entry has ${entry.length} bytes`)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(entry.length)
      return [length, entry]
    })
  )
}

/** Returns the entries of a bundle. Throws where it breaks off. */
export function entriesOf(bundle: Uint8Array): Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length)
  const entries: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = start + 2 + (start + 2 <= bytes.length ? bytes.readUInt16BE(start) : 0)
    if (start + 2 > bytes.length || end > bytes.length)
      throw new RangeError(`the bundle breaks off in entry ${entries.length}`)
    entries.push(bytes.subarray(start + 2, end))
    start = end
  }
  return entries
}
