import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readHead } from '../../audit/checkpoint.ts'
import { NoteError, splitNote } from '../../audit/note.ts'
import { type Place, pathOf, TILE_WIDTH, widthOf } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'
import { exportLines, type Lines } from '../../db/audit/export.ts'
import { LeafGone, readBundle } from '../../db/audit/leaves.ts'
import type { AuditLineWriter } from '../../db/audit/line-writer.ts'
import { readLog, readRoot, readTilesBetween } from '../../db/audit/log.ts'
import { replaceFile } from '../../db/engine/disk.ts'
import type { Store } from '../../db/store.ts'
import { AuditLogRefused, type Shown } from './shown.ts'

// A folder that contains a log: tiles and bundles named as in c2sp.org/tlog-tiles, the events as lines, the key and the
// checkpoint. The checkpoint is written last, so that everything it covers already exists.

/** The number of tiles to read at once. */
const TILES = 64

/** How much of the file to read at a time when searching backwards for the last line, in bytes. */
const TAIL = 8 * 1024 * 1024

/**
 * Adds everything that the folder is missing. Returns the number of lines added. Throws AuditLogRefused if the folder belongs to
 * another log.
 */
export async function writeTileFolder(
  store: Store,
  writer: AuditLineWriter,
  folder: string,
  shown: Shown,
  onLines: (lines: Lines) => void
) {
  await mkdir(folder, { recursive: true })
  const done = await sizeOfFolder(store, folder, shown)
  const events = await writeEvents(store, writer, folder, { done, size: shown.size }, onLines)
  await writeTiles(store, folder, done, shown.size)
  await replace(join(folder, 'key'), `${shown.key}\n`)
  await replace(join(folder, 'checkpoint'), shown.checkpoint)
  return events
}

/** The leaves to add to a folder. */
interface Part {
  /** The size of the tree that is already in the folder. */
  done: number
  size: number
}

/** Writes the lines and bundles of all kept events. Returns the number of lines. */
async function writeEvents(
  store: Store,
  writer: AuditLineWriter,
  folder: string,
  part: Part,
  onLines: (lines: Lines) => void
): Promise<number> {
  for (;;) {
    const { firstIndex } = await readLog(store.read)
    const [events] = await Promise.all([
      writeLines(store, writer, join(folder, 'events.jsonl'), part, onLines),
      writeBundles(store, folder, part, firstIndex)
    ])
    // If old events were pruned in the meantime, lines and bundles may be inconsistent, so write them again.
    if ((await readLog(store.read)).firstIndex === firstIndex) return events
  }
}

/** Returns the size of the tree in the folder, or 0 if the folder contains no tree. */
async function sizeOfFolder(store: Store, folder: string, shown: Shown): Promise<number> {
  const text = await readFile(join(folder, 'checkpoint'), 'utf8').catch(ifMissing(undefined))
  if (text === undefined) return 0
  try {
    const { size, root } = readHead(splitNote(text).text)
    if (size > shown.size)
      throw new AuditLogRefused(`${folder} has ${size} events, but the log has only ${shown.size}.`)
    if (root.equals(await readRoot(store.read, size))) return size
  } catch (error) {
    if (error instanceof NoteError) throw new AuditLogRefused(`The file checkpoint in ${folder} is not a checkpoint.`)
    throw error
  }
  throw new AuditLogRefused(`${folder} belongs to another log: its checkpoint is not from this one.`)
}

/** Appends lines to those already in the file. Returns the number of lines added. */
async function writeLines(
  store: Store,
  writer: AuditLineWriter,
  path: string,
  { done, size }: Part,
  onLines: (lines: Lines) => void
): Promise<number> {
  const file = await open(path, done === 0 ? 'w' : 'a+')
  try {
    const from = done === 0 ? 0 : await cutLines(file, done)
    let count = 0
    for await (const lines of exportLines(store, writer, { format: 'jsonl', filter: {}, from, size })) {
      await file.appendFile(lines.bytes)
      count += lines.count
      onLines(lines)
    }
    await file.sync()
    return count
  } finally {
    await file.close()
  }
}

type File = Awaited<ReturnType<typeof open>>

/**
 * Removes everything that an interrupted export left behind: a partial line, and lines for leaves that the folder's checkpoint
 * does not cover. Returns the index after the last line.
 */
async function cutLines(file: File, size: number): Promise<number> {
  const { size: length } = await file.stat()
  let [next, end] = [0, length]
  while (end > 0) {
    const start = Math.max(0, end - TAIL)
    const { bytes, first } = await readWhole(file, start, end)
    if (bytes.length === 0 && start > 0) break
    const lines = bytes.toString().split('\n')
    lines.pop()
    const kept = lines.findLastIndex((line) => indexOf(line) < size)
    if (kept >= 0) {
      next = indexOf(lines[kept] as string) + 1
      end = first + Buffer.byteLength(lines.slice(0, kept + 1).join('\n')) + 1
      break
    }
    end = first
  }
  if (end < length) await file.truncate(end)
  return next
}

/** Returns the complete lines in a section of the file, and the offset of the first one. */
async function readWhole(file: File, start: number, end: number) {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  const read = buffer.subarray(0, bytesRead)
  const begin = start === 0 ? 0 : read.indexOf('\n') + 1
  return { bytes: read.subarray(begin, read.lastIndexOf('\n') + 1), first: start + begin }
}

/** Returns the index of a line, or Infinity if the line is damaged. */
function indexOf(line: string): number {
  const [, index] = /^\{"index":(\d{1,16}),/.exec(line) ?? []
  return index === undefined ? Number.POSITIVE_INFINITY : Number(index)
}

/**
 * Writes the bundles of entries that a tree of size `done` does not have, starting with the first kept event. Removes earlier
 * bundles, which an interrupted run may have left behind.
 */
async function writeBundles(store: Store, folder: string, { done, size }: Part, firstIndex: number) {
  for (let index = Math.floor(done / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const place: Place = { level: 'entries', index, width: widthOf('entries', index, size) }
    if (index * TILE_WIDTH < firstIndex) {
      await rm(join(folder, pathOf(place)), { force: true })
      continue
    }
    const bundle = await readBundle(store.read, index, place.width).catch((error: unknown) => {
      if (error instanceof LeafGone) return undefined
      throw error
    })
    if (bundle) await writePlace(folder, place, bundle)
  }
}

/** Writes the tiles that a tree of size `done` does not have. */
async function writeTiles(store: Store, folder: string, done: number, size: number) {
  for (let level = 0; TILE_WIDTH ** level <= size; level++) {
    const span = TILE_WIDTH ** (level + 1)
    const end = Math.ceil(size / span)
    for (let first = Math.floor(done / span); first < end; first += TILES) {
      const tiles = await readTilesBetween(store.read, level, first, Math.min(end, first + TILES))
      for (const [index, hashes] of tiles) {
        const width = widthOf(level, index, size)
        if (width > 0) await writePlace(folder, { level, index, width }, hashes.subarray(0, width * HASH_LENGTH))
      }
    }
  }
}

async function writePlace(folder: string, place: Place, bytes: Uint8Array) {
  const path = join(folder, pathOf(place))
  await writeFile(path, bytes).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  })
}

/** Replaces a file atomically. */
async function replace(path: string, text: string) {
  const beside = `${path}.${process.pid}.part`
  await writeFile(beside, text, { flush: true })
  await replaceFile(beside, path)
}

function ifMissing<T>(value: T) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
