import { EntryError } from './disclosure.ts'
import { type Contradiction, Cursor, leafIn } from './kept.ts'
import { type LogLine, openLine } from './line.ts'
import { Removals } from './removals.ts'
import { HASH_LENGTH, hashLeaf } from './tree.ts'

/** The events that a log shows, one per line. They are compared with the entries of its tree. */
export class ShownLines {
  readonly removals = new Removals()
  /** The number of events that match their entries. */
  count = 0
  /** Undefined after a malformed line. */
  #lines: Cursor<LogLine> | undefined
  readonly #report: (found: Omit<Contradiction, 'evidence'>) => void

  constructor(lines: AsyncIterable<LogLine>, report: (found: Omit<Contradiction, 'evidence'>) => void) {
    this.#lines = new Cursor(lines)
    this.#report = report
  }

  async close(): Promise<void> {
    await this.#lines?.close()
  }

  /**
   * Verifies the lines of the entries from index `first` on, given the leaf hashes. `entries` is undefined if the bundle is
   * missing or damaged.
   */
  async compare(first: number, hashes: Buffer, entries: readonly Buffer[] | undefined): Promise<void> {
    if (!this.#lines) return
    const end = first + hashes.length / HASH_LENGTH
    let expected = first
    // A line may be missing only if its entry is missing too.
    const expectBefore = (index: number) => {
      if (entries && expected < index)
        this.#report({ index: expected, message: `the line of entry ${expected} is missing` })
    }
    try {
      await this.#lines.until(end, (line) => {
        expectBefore(line.index)
        expected = line.index + 1
        const entry = entries?.[line.index - first]
        const isSame = entry
          ? line.entry.equals(entry)
          : hashLeaf(line.entry).equals(leafIn(hashes, line.index - first))
        this.#compareLine(line, isSame)
      })
      expectBefore(end)
    } catch (error) {
      await this.#breakOff(expected, error)
    }
  }

  /** Reports a malformed line and stops reading. */
  async #breakOff(index: number, error: unknown) {
    if (!(error instanceof EntryError)) throw error
    this.#report({ index, message: `the line of entry ${index}: ${error.message}` })
    await this.#lines?.close()
    this.#lines = undefined
  }

  /** Reports a line beyond the end of the tree. `size` is the size of the tree. */
  async end(size: number): Promise<void> {
    try {
      const line = await this.#lines?.peek()
      if (line)
        this.#report({
          index: line.index,
          message: `the log has ${size} entries, but there is a line for entry ${line.index}`
        })
    } catch (error) {
      await this.#breakOff(size, error)
    }
  }

  #compareLine(line: LogLine, isSame: boolean) {
    const { index } = line
    if (!isSame) {
      this.#report({ index, message: `the entry in the line of entry ${index} differs from the tree` })
      return
    }
    try {
      this.removals.add(index, openLine(line))
      this.count++
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      this.#report({ index, message: `the line of entry ${index}: ${error.message}` })
    }
  }
}
