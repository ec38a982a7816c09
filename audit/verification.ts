import { readHead, type TreeHead } from './checkpoint.ts'
import { EntryError } from './disclosure.ts'
import { readEntry } from './entry.ts'
import { type Comparison, type Contradiction, Evidence, firstDifference, type Kept, leafIn } from './kept.ts'
import { NoteError, readVerifier, splitNote, type Verifier, verifierText } from './note.ts'
import { openCheckpoint, type Policy } from './policy.ts'
import { type Erasure, PRUNED } from './removals.ts'
import { ShownLines } from './shown-lines.ts'
import { type LogSource, readTile } from './source.ts'
import { entriesOf, GrowingTree, TILE_WIDTH, widthOf } from './tiles.ts'
import { HASH_LENGTH, hashLeaf } from './tree.ts'

// Verifies an entire log: its signature, every entry, every tile, every event shown, and all kept evidence.

export interface VerificationOptions {
  /** The keys of trusted logs. */
  keys?: readonly Verifier[]
  policy?: Policy | undefined
  kept?: readonly Kept[]
  /** Called with the number of entries verified so far. */
  onProgress?: (done: number, total: number) => void
}

export interface Verification {
  /**
   * `sound` means that there is no contradiction, but no key was pinned, no evidence was given, or it is unknown whether every
   * pruned entry is recorded.
   */
  outcome: 'consistent' | 'sound' | 'contradiction'
  contradictions: Contradiction[]
  /** The lowest index mentioned by a contradiction. */
  firstIndex?: number
  /** The origin, size and root of the checkpoint. */
  origin: string
  size: number
  root: string
  /** The number of entries examined, counted from the first one. */
  looked: number
  /** The key that signed the checkpoint, if the signature was verified. */
  key?: string
  /** Whether the caller provided the key, rather than the source itself. */
  isPinned: boolean
  witnesses: string[]
  kept: Comparison[]
  /** The number of events shown and compared with their entries. Undefined if the source shows no events. */
  shown?: number
  /** Undefined if the source shows no events. */
  erased?: Erasure
  /**
   * The number of missing entries, and how many of their removals are not recorded by an event. The second number may be
   * unknown if no events are shown.
   */
  pruned: { entries: number; uncovered?: number }
  /** The number of events that are not in the tree yet, if the source reports it. */
  pending?: number
}

const NO_WITNESSES: Policy = { logs: [], witnesses: new Map(), groups: new Map(), quorum: 'none' }

/** Verifies a log up to its checkpoint. Throws Unreadable if the source or a piece of evidence cannot be read. */
export async function verifyLog(source: LogSource, options: VerificationOptions = {}): Promise<Verification> {
  const run = new VerificationRun(source, options)
  try {
    await run.run()
  } finally {
    await run.close()
  }
  return run.result()
}

/** The tile of leaves and the bundle of entries at the same position. */
interface Piece {
  first: number
  width: number
  tile: Uint8Array | undefined
  bundle: Uint8Array | undefined
}

/** The number of pieces to read ahead. */
const AHEAD = 4

class VerificationRun {
  readonly #source: LogSource
  readonly #keys: readonly Verifier[]
  readonly #policy: Policy
  readonly #evidence: Evidence[]
  readonly #onProgress: (done: number, total: number) => void
  readonly #contradictions = new Map<string, Contradiction>()
  #head: TreeHead = { origin: '', size: 0, root: Buffer.alloc(0) }
  #signer: Verifier | undefined
  #witnesses: string[] = []
  readonly #tree: GrowingTree
  /** Full tiles above level 0 that have yet to be compared. */
  #fullTiles: { level: number; index: number; hashes: Buffer }[] = []
  /** The kept checkpoints whose sizes have not been reached yet, in order of size. */
  #stops: Evidence[] = []
  readonly #lines: ShownLines | undefined
  /** The index of the first entry that exists. */
  #firstIndex: number | undefined
  /** Whether an AUDIT_PRUNED entry was found. */
  #hasPruned = false
  #pending: number | undefined

  constructor(source: LogSource, { keys = [], policy, kept = [], onProgress = () => {} }: VerificationOptions) {
    this.#source = source
    this.#policy = policy ?? NO_WITNESSES
    this.#keys = [...keys, ...this.#policy.logs.map(({ verifier }) => verifier)]
    this.#onProgress = onProgress
    this.#lines = source.lines && new ShownLines(source.lines(), (found) => this.#reportLog('line', found))
    this.#evidence = kept.map(
      (each, at) =>
        new Evidence(each, this.#keys, (found) => this.#report(`kept ${at}`, { evidence: each.name, ...found }))
    )
    this.#tree = new GrowingTree(0, [], (level, index, hashes) => {
      if (level > 0) this.#fullTiles.push({ level, index, hashes })
    })
  }

  async run(): Promise<void> {
    if (!(await this.#openCheckpoint())) return
    const { size } = this.#head
    this.#stops = this.#evidence.filter(({ head }) => head && head.size > 0).sort((a, b) => sizeOf(a) - sizeOf(b))
    for await (const piece of this.#pieces()) {
      const entries = this.#entriesOf(piece)
      const hashes = this.#leavesOf(piece, entries)
      if (!hashes) return
      this.#grow(hashes)
      await this.#compareTiles()
      await this.#lines?.compare(piece.first, hashes, entries)
      for (const evidence of this.#evidence) await evidence.compare(piece.first, hashes)
      this.#onProgress(this.#tree.size, size)
    }
    await this.#compareEdge()
    if (!this.#tree.root().equals(this.#head.root)) {
      const message = `the root of the entries differs from the checkpoint: one of the first ${size} entries has been altered`
      this.#reportLog('root', { within: size, message })
    }
    await this.#lines?.end(size)
    for (const evidence of this.#evidence) await evidence.end(size)
    this.#checkRemovals()
    this.#pending = await this.#source.pending?.(size, this.#firstIndex ?? size)
  }

  async close(): Promise<void> {
    await this.#lines?.close()
    for (const evidence of this.#evidence) await evidence.close()
  }

  result(): Verification {
    const contradictions = [...this.#contradictions.values()]
    const indices = contradictions.flatMap(({ index }) => index ?? [])
    const { origin, size, root } = this.#head
    const kept = this.#evidence.map(({ comparison }) => comparison)
    const isPinned = this.#signer !== undefined && this.#keys.includes(this.#signer)
    const pruned = this.#pruning()
    // If the number of unrecorded prunings is unknown, it may be greater than zero.
    const isTold = pruned.uncovered !== undefined
    const isProved = isPinned && kept.some(({ entries }) => entries > 0) && isTold
    return {
      outcome: contradictions.length > 0 ? 'contradiction' : isProved ? 'consistent' : 'sound',
      contradictions,
      ...(indices.length > 0 && { firstIndex: Math.min(...indices) }),
      origin,
      size,
      root: root.toString('base64'),
      looked: this.#tree.size,
      ...(this.#signer && { key: verifierText(this.#signer) }),
      isPinned,
      witnesses: this.#witnesses,
      kept,
      ...(this.#lines && { shown: this.#lines.count, erased: erasureOf(this.#lines) }),
      pruned,
      ...(this.#pending !== undefined && { pending: this.#pending })
    }
  }

  /** Keeps the first contradiction of each kind, but prefers one that has an index. */
  #report(kind: string, found: Contradiction) {
    const before = this.#contradictions.get(kind)
    if (!before || (before.index === undefined && found.index !== undefined)) this.#contradictions.set(kind, found)
  }

  #reportLog(kind: string, found: Omit<Contradiction, 'evidence'>) {
    this.#report(`log ${kind}`, { evidence: 'log', ...found })
  }

  /**
   * Opens the checkpoint. Returns false if it is malformed. Reports a checkpoint without a valid signature by a known key as a
   * contradiction, but still reads it.
   */
  async #openCheckpoint(): Promise<boolean> {
    const note = await this.#source.checkpoint()
    try {
      this.#head = readHead(splitNote(note).text)
      const keys = this.#keys.length > 0 ? this.#keys : await this.#ownKey()
      // The signature cannot be verified without a key, so the outcome is `sound` at best.
      if (keys.length === 0) return true
      const { log, witnesses } = openCheckpoint(note, this.#policy, keys)
      this.#signer = log
      this.#witnesses = witnesses.map(({ name }) => name)
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      const { origin } = this.#head
      this.#reportLog('signature', { message: `the checkpoint${origin && ` of ${origin}`}: ${error.message}` })
    }
    return this.#head.origin !== ''
  }

  async #ownKey(): Promise<Verifier[]> {
    const key = await this.#source.key()
    return key === undefined ? [] : [readVerifier(key)]
  }

  /** Yields tiles and bundles, reading some ahead. */
  async *#pieces(): AsyncGenerator<Piece> {
    const { size } = this.#head
    const reads: Promise<Piece>[] = []
    for (let next = 0; next * TILE_WIDTH < size || reads.length > 0; ) {
      if (next * TILE_WIDTH < size && reads.length < AHEAD) {
        const read = this.#read(next++)
        // The promise is awaited later, so its rejection must be handled here.
        read.catch(() => {})
        reads.push(read)
      } else {
        yield (await reads.shift()) as Piece
      }
    }
  }

  async #read(index: number): Promise<Piece> {
    const width = widthOf(0, index, this.#head.size)
    const [tile, bundle] = await Promise.all([
      readTile(this.#source, { level: 0, index, width }),
      this.#source.bundle({ level: 'entries', index, width })
    ])
    return { first: index * TILE_WIDTH, width, tile, bundle }
  }

  /**
   * Returns the leaf hashes, computed from the entries or, if the entries are missing, read from the tile. Returns undefined if
   * both are missing.
   */
  #leavesOf({ first, width, tile }: Piece, entries: Buffer[] | undefined): Buffer | undefined {
    const isWhole = tile?.length === width * HASH_LENGTH
    if (!isWhole) {
      const state = tile ? `has ${tile.length} bytes instead of ${width * HASH_LENGTH}` : 'is missing'
      this.#reportLog('tile', { index: first, message: `the tile that starts at entry ${first} ${state}` })
    }
    if (!entries) return isWhole ? Buffer.from(tile) : undefined
    const hashes = Buffer.concat(entries.map(hashLeaf))
    const different = isWhole ? firstDifference(hashes, tile) : undefined
    if (different !== undefined) {
      const index = first + different
      this.#reportLog('tile', { index, message: `the hash of entry ${index} differs from its tile` })
    }
    return hashes
  }

  /** Returns the entries of the bundle, or undefined if they are missing or damaged. */
  #entriesOf({ first, width, bundle }: Piece): Buffer[] | undefined {
    if (!bundle) {
      if (this.#firstIndex !== undefined) {
        const message = `the entries from ${first} on are missing, although older ones exist`
        this.#reportLog('bundle', { index: first, message })
      }
      return
    }
    let entries: Buffer[]
    try {
      entries = entriesOf(bundle)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#reportLog('bundle', { index: first, message: `the entries from ${first} on: ${error.message}` })
      return
    }
    if (entries.length !== width) {
      const index = first + Math.min(entries.length, width)
      this.#reportLog('bundle', {
        index,
        message: `the bundle from ${first} on has ${entries.length} entries instead of ${width}`
      })
      return
    }
    this.#firstIndex ??= first
    this.#hasPruned ||= entries.some(isPruned)
    return entries
  }

  /** Appends leaves to the tree, comparing its root with each kept checkpoint along the way. */
  #grow(hashes: Buffer) {
    for (let at = 0; at < hashes.length / HASH_LENGTH; at++) {
      this.#tree.append(leafIn(hashes, at))
      while (this.#stops[0] && sizeOf(this.#stops[0]) === this.#tree.size) {
        this.#stops.shift()?.compareRoot(this.#tree.root())
      }
    }
  }

  async #compareTiles() {
    for (const { level, index, hashes } of this.#fullTiles) await this.#compareTile(level, index, hashes)
    this.#fullTiles = []
  }

  /** Compares the partial tiles above level 0. */
  async #compareEdge() {
    for (const [level, hashes] of this.#tree.edge().entries()) {
      if (level === 0 || hashes.length === 0) continue
      await this.#compareTile(level, Math.floor(this.#tree.size / TILE_WIDTH ** (level + 1)), hashes)
    }
  }

  /** Compares a stored tile above level 0 with the computed hashes. */
  async #compareTile(level: number, index: number, hashes: Buffer) {
    const tile = await readTile(this.#source, { level, index, width: hashes.length / HASH_LENGTH })
    const different = tile?.length === hashes.length ? firstDifference(hashes, tile) : 0
    if (different === undefined) return
    // The index of the first leaf below the hash that differs.
    const first = (index * TILE_WIDTH + different) * TILE_WIDTH ** level
    const state = tile?.length === hashes.length ? 'has been altered' : tile ? 'has the wrong length' : 'is missing'
    this.#reportLog('tile', {
      index: first,
      message: `tile ${index} of level ${level} ${state}, from entry ${first} on`
    })
  }

  #pruning(): Verification['pruned'] {
    const entries = this.#firstIndex ?? this.#tree.size
    if (this.#lines) return { entries, uncovered: Math.max(0, entries - this.#lines.removals.firstIndexTold) }
    // If no events are shown, the number of pruned entries covered by events is unknown.
    return { entries, ...(this.#hasPruned && entries > 0 ? {} : { uncovered: entries }) }
  }

  /** Reports erasures and prunings that no event in the tree records. */
  #checkRemovals() {
    const { uncovered = 0, firstIndex } = this.#lines?.removals.erasure() ?? {}
    if (uncovered > 0) {
      const message = `parts of events erased without an AUDIT_ERASED event in the tree: ${uncovered}`
      this.#reportLog('erased', { message, ...(firstIndex !== undefined && { index: firstIndex }) })
    }
    const pruned = this.#pruning()
    if (pruned.uncovered !== undefined && pruned.uncovered > 0) {
      const index = pruned.entries - pruned.uncovered
      const message = `the entries from ${index} to ${pruned.entries - 1} are missing, but no AUDIT_PRUNED event in the tree records their removal`
      this.#reportLog('pruned', { message, index })
    }
  }
}

function erasureOf({ removals }: ShownLines): Erasure {
  const { parts, events, uncovered } = removals.erasure()
  return { parts, events, uncovered }
}

function sizeOf({ head }: Evidence): number {
  return head?.size ?? 0
}

/** Returns whether the entry is an AUDIT_PRUNED event. */
function isPruned(entry: Buffer): boolean {
  if (!entry.includes(`"${PRUNED}"`)) return false
  try {
    return readEntry(entry).type === PRUNED
  } catch (error) {
    if (error instanceof EntryError) return false
    throw error
  }
}
