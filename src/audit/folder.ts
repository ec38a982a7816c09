import { constants, createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EntryError } from '../../audit/disclosure.ts'
import type { KeptLeaves } from '../../audit/kept.ts'
import { type LogLine, readLine } from '../../audit/line.ts'
import { type LogSource, Unreadable } from '../../audit/source.ts'
import { LONGEST_ENTRY, pathOf, TILE_WIDTH } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'

// Folders written by `graphstead audit export --tiles`, and individual files from such folders. They are untrusted, so each
// file is read only up to its maximum length.

/** The maximum length of a checkpoint or key, in bytes. */
export const LONGEST_TEXT = 1_000_000

/** The maximum lengths of a tile and a bundle, in bytes. */
export const [LONGEST_TILE, LONGEST_BUNDLE] = [TILE_WIDTH * HASH_LENGTH, TILE_WIDTH * (2 + LONGEST_ENTRY)]

/** The maximum length of a line in an export, in bytes. Lines written by Graphstead are far shorter. */
const LONGEST_LINE = 4 * 1024 * 1024

const LINE_FEED = 0x0a

/** Returns the log in a folder. Throws Unreadable. */
export async function openFolder(folder: string): Promise<LogSource> {
  const events = join(folder, 'events.jsonl')
  return {
    checkpoint: () => readText(join(folder, 'checkpoint')),
    key: async () => (await readStart(join(folder, 'key'), LONGEST_TEXT))?.toString(),
    tile: (place) => readStart(join(folder, pathOf(place)), LONGEST_TILE),
    bundle: (place) => readStart(join(folder, pathOf(place)), LONGEST_BUNDLE),
    ...((await isFile(events)) && { lines: () => readLines(events) })
  }
}

/** Reads a text file. Throws Unreadable, for example if the file does not exist or is too long for a checkpoint. */
export async function readText(path: string): Promise<string> {
  const bytes = await readStart(path, LONGEST_TEXT)
  if (!bytes) throw new Unreadable(`${path} does not exist`)
  if (bytes.length > LONGEST_TEXT) throw new Unreadable(`${path} is longer than ${LONGEST_TEXT} bytes`)
  return bytes.toString()
}

/** Reads at most one byte more than `longest` from a file. Returns undefined if the file does not exist. Throws Unreadable. */
export async function readStart(path: string, longest: number): Promise<Buffer | undefined> {
  try {
    // Opening a pipe that has no writer would block.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await file.stat()
      if (!stats.isFile()) throw new Unreadable(`${path} is not a file`)
      const buffer = Buffer.allocUnsafe(Math.min(stats.size, longest + 1))
      let length = 0
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return buffer.subarray(0, length)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return
    throw unreadable(path, error)
  }
}

/** Yields the lines of an export. Throws Unreadable, or EntryError if a line is malformed. */
export async function* readLines(path: string): AsyncGenerator<LogLine> {
  let number = 0
  for await (const line of splitLines(path)) {
    number++
    try {
      yield readLine(line)
    } catch (error) {
      throw error instanceof EntryError ? new EntryError(`line ${number} of the file: ${error.message}`) : error
    }
  }
}

/** Splits a file into lines. Throws EntryError if a line is too long or the last one is incomplete. */
async function* splitLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        const line = chunk.subarray(start, end)
        yield rest.length > 0 ? Buffer.concat([...rest, line]) : line
        rest = []
        length = 0
        start = end + 1
      }
      if (start < chunk.length) rest.push(chunk.subarray(start))
      length += chunk.length - start
      if (length > LONGEST_LINE) throw new EntryError(`a line has more than ${LONGEST_LINE} bytes`)
    }
  } catch (error) {
    throw error instanceof EntryError ? error : unreadable(path, error)
  }
  if (rest.length > 0) throw new EntryError('the last line is cut off')
}

/** Yields the leaves of a folder, up to `size` or as many as exist. Throws Unreadable. */
export async function* readLeaves(folder: string, size = Number.POSITIVE_INFINITY): AsyncGenerator<KeptLeaves> {
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const expected = Math.min(TILE_WIDTH, size - index * TILE_WIDTH)
    const full = join(folder, pathOf({ level: 0, index, width: TILE_WIDTH }))
    const width = (await isFile(full)) ? TILE_WIDTH : await widestPart(full)
    const hashes = width > 0 && (await readStart(join(folder, pathOf({ level: 0, index, width })), LONGEST_TILE))
    if (!hashes) {
      if (size === Number.POSITIVE_INFINITY) return
      throw new Unreadable(`${folder}: the tile that starts at entry ${index * TILE_WIDTH} is missing`)
    }
    if (hashes.length !== width * HASH_LENGTH || (Number.isFinite(size) && width < expected)) {
      throw new Unreadable(`${folder}: the tile that starts at entry ${index * TILE_WIDTH} has the wrong length`)
    }
    yield { index: index * TILE_WIDTH, hashes: hashes.subarray(0, expected * HASH_LENGTH) }
    if (width < TILE_WIDTH) return
  }
}

/** Returns the width of the widest partial tile next to the path of the full tile, or 0 if there is no partial tile. */
async function widestPart(path: string): Promise<number> {
  const names = await readdir(`${path}.p`).catch((error) => {
    if (isMissing(error)) return []
    throw unreadable(path, error)
  })
  return Math.max(0, ...names.filter((name) => /^[1-9]\d{0,2}$/.test(name)).map(Number))
}

/** Returns whether the file exists. Throws Unreadable if the path leads to something other than a file. */
export async function isFile(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isFile()) return true
  } catch (error) {
    if (isMissing(error)) return false
    throw unreadable(path, error)
  }
  throw new Unreadable(`${path} is not a file`)
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function unreadable(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? error : new Unreadable(`${path} cannot be read: ${message}`)
}
