import { readHead, type TreeHead } from './checkpoint.ts'
import { EntryError } from './disclosure.ts'
import { type LogLine, openLine } from './line.ts'
import { NoteError, openNote, splitNote, type Verifier } from './note.ts'
import { Unreadable } from './source.ts'
import { GrowingTree } from './tiles.ts'
import { HASH_LENGTH, hashLeaf } from './tree.ts'

// Evidence of an earlier state of the log, such as a saved checkpoint or export.

/** Consecutive leaf hashes from one full or partial tile, with the index of the first. */
export interface KeptLeaves {
  index: number
  hashes: Uint8Array
}

/** A piece of evidence: a checkpoint, the leaves of an export with its checkpoint if available, or the lines of an export. */
export interface Kept {
  /** A name for use in messages, such as the file name. */
  name: string
  checkpoint?: string
  /** Yields the leaves, starting at index 0. Throws Unreadable. */
  leaves?: () => AsyncIterable<KeptLeaves>
  /** Yields the lines in index order. Throws EntryError if a line is malformed. */
  lines?: () => AsyncIterable<LogLine>
}

/** A contradiction within the log, or between the log and the evidence. */
export interface Contradiction {
  /** `log`, or the name of the piece of evidence. */
  evidence: string
  message: string
  /** The first index that is known to be wrong. */
  index?: number
  /** If set, one of the first `within` entries is wrong. */
  within?: number
}

/** The scope of a comparison with a piece of evidence. */
export interface Comparison {
  name: string
  /** The number of entries compared, or covered by the checkpoint. */
  entries: number
  /** For a checkpoint, whether its signature was verified with a trusted key. */
  signed?: boolean
}

/** Reports a contradiction with the evidence. */
export type Report = (found: Omit<Contradiction, 'evidence'>) => void

/** A piece of evidence, and how far it has been compared. */
export class Evidence {
  readonly name: string
  /** The head of the evidence's checkpoint. */
  readonly head: TreeHead | undefined
  readonly #isSigned: boolean | undefined
  readonly #report: Report
  readonly #leaves: Cursor<KeptLeaves> | undefined
  readonly #lines: Cursor<LogLine> | undefined
  /** The tree of the kept leaves. */
  readonly #tree = new GrowingTree()
  #entries = 0
  /** The index after the last kept entry read so far. */
  #end = 0

  /** `keys` are the trusted keys. Throws Unreadable if the evidence is invalid. */
  constructor({ name, checkpoint, leaves, lines }: Kept, keys: readonly Verifier[], report: Report) {
    this.name = name
    this.#report = report
    this.#leaves = leaves && new Cursor(leaves())
    this.#lines = lines && new Cursor(lines())
    if (checkpoint === undefined) return
    try {
      this.head = readHead(splitNote(checkpoint).text)
      const own = keys.filter((key) => key.name === this.head?.origin)
      if (own.length > 0) openNote(checkpoint, own)
      this.#isSigned = own.length > 0
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      throw new Unreadable(`${name}: ${error.message}`)
    }
  }

  get comparison(): Comparison {
    const entries = Math.max(this.head?.size ?? 0, this.#entries)
    return { name: this.name, entries, ...(this.#isSigned !== undefined && { signed: this.#isSigned }) }
  }

  /**
   * Compares the evidence with the leaf hashes that start at index `first`, which must be a multiple of 256. Throws Unreadable.
   */
  async compare(first: number, hashes: Buffer): Promise<void> {
    const end = first + hashes.length / HASH_LENGTH
    await this.#leaves?.until(end, (kept) => this.#compareLeaves(kept, hashes))
    await this.#lines
      ?.until(end, (line) => this.#compareLine(line, leafIn(hashes, line.index - first)))
      .catch((error) => this.#refuse(error))
  }

  #refuse(error: unknown): never {
    throw error instanceof EntryError ? new Unreadable(`${this.name}: ${error.message}`) : error
  }

  #compareLeaves({ index, hashes }: KeptLeaves, own: Buffer) {
    for (let at = 0; at < hashes.length; at += HASH_LENGTH) {
      this.#tree.append(hashes.subarray(at, at + HASH_LENGTH))
      // Leaves that contradict their own checkpoint prove nothing about the log.
      if (this.#tree.size === this.head?.size && !this.#tree.root().equals(this.head.root)) {
        throw new Unreadable(`${this.name}: its tiles contradict its own checkpoint`)
      }
    }
    this.#entries += hashes.length / HASH_LENGTH
    this.#end = index + hashes.length / HASH_LENGTH
    // Compare only as many leaves as both sides have.
    const length = Math.min(hashes.length, own.length)
    const different = firstDifference(hashes.subarray(0, length), own.subarray(0, length))
    if (different === undefined) return
    this.#report({
      index: index + different,
      message: `entry ${index + different} differs from the kept entry`
    })
  }

  #compareLine(line: LogLine, leaf: Buffer) {
    const { index } = line
    this.#entries++
    if (!hashLeaf(line.entry).equals(leaf)) {
      this.#report({ index, message: `entry ${index} differs from the kept entry` })
      return
    }
    try {
      openLine(line)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      this.#report({ index, message: `the line of entry ${index} has been altered: ${error.message}` })
    }
  }

  /** Compares the checkpoint with the root of the log's tree at the same size. */
  compareRoot(root: Buffer): void {
    if (!this.head || root.equals(this.head.root)) return
    const within = this.head.size
    this.#report({ within, message: `one of the first ${within} entries has changed since this checkpoint` })
  }

  /** Reports kept entries beyond the end of the log. Throws Unreadable. */
  async end(size: number): Promise<void> {
    const leaves = await this.#leaves?.peek()
    const line = await this.#lines?.peek().catch((error) => this.#refuse(error))
    const end = Math.max(this.#end, (leaves ?? line)?.index ?? 0)
    if (leaves || line || end > size) {
      this.#report({ index: size, message: `the log has ${size} entries, but more were kept` })
    }
    const within = this.head?.size ?? 0
    if (within > size) {
      this.#report({ within, message: `the log has ${size} entries, but the kept checkpoint had ${within}` })
    }
  }

  async close(): Promise<void> {
    await this.#leaves?.close()
    await this.#lines?.close()
  }
}

/** Returns the position of the first differing hash in two lists of equal length, or undefined if the lists are equal. */
export function firstDifference(one: Uint8Array, other: Uint8Array): number | undefined {
  if (Buffer.compare(one, other) === 0) return
  let at = 0
  while (one[at] === other[at] && at < one.length) at++
  return Math.floor(at / HASH_LENGTH)
}

/** Returns the hash at this position. */
export function leafIn(hashes: Buffer, at: number): Buffer {
  return hashes.subarray(at * HASH_LENGTH, (at + 1) * HASH_LENGTH)
}

/** Iterates over items in index order. */
export class Cursor<T extends { index: number }> {
  readonly #items: AsyncIterator<T>
  /** The next item; null at the end. */
  #next: T | null | undefined
  #last = -1

  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]()
  }

  /** Returns the next item without consuming it. Throws EntryError if it is out of order. */
  async peek(): Promise<T | null> {
    if (this.#next === undefined) {
      const { value, done } = await this.#items.next()
      if (!done && value.index <= this.#last) throw new EntryError('the lines are not ordered by index')
      this.#next = done ? null : (value as T)
      this.#last = this.#next?.index ?? this.#last
    }
    return this.#next
  }

  /** Passes all items before index `end` to `take`. Throws whatever `peek` or `take` throws. */
  async until(end: number, take: (item: T) => void): Promise<void> {
    for (;;) {
      const item = this.#next === undefined ? await this.peek() : this.#next
      if (item === null || item.index >= end) return
      this.#next = undefined
      take(item)
    }
  }

  async close(): Promise<void> {
    await this.#items.return?.()
  }
}
