import { TILE_WIDTH } from '../../audit/tiles.ts'
import type { Reader } from '../store.ts'
import { type AuditFilter, packedAudits } from './events.ts'
import { rangesOf, readErased } from './leaves.ts'
import { type AuditLineWriter, WRITERS } from './line-writer.ts'
import type { LeavesToWrite, LineFormat, WrittenLeaves } from './lines.ts'
import { readRuns, readSaltsBetween, readTilesBetween } from './log.ts'
import { NO_ROWS } from './rows.ts'

/** The leaves to export, and the format of the lines. */
export interface ExportOptions {
  format: LineFormat
  filter: AuditFilter
  /** The index of the first leaf. */
  from: number
  /** The size of the tree. */
  size: number
}

/** Lines of an export, and the index after the last leaf that they cover. */
export interface Lines extends WrittenLeaves {
  next: number
}

const NONE: WrittenLeaves = { bytes: new Uint8Array(), count: 0 }

/** The number of chunks to write or queue ahead of the consumer, so that threads are never idle. */
const AHEAD = WRITERS + 1

/** The minimum and maximum number of leaves per read. */
const [LEAST, MOST] = [64, 2048]

/** The target size of a chunk's rows, in characters. The number of leaves per read adapts to it. */
const AIM = 128 * 1024

/**
 * Yields the lines of the leaves that match the filter, in index order, one chunk at a time. While the consumer handles a chunk,
 * the next chunks are written and the one after them is read. Skips leaves whose events are removed during the export.
 */
export async function* exportLines(
  reader: Reader,
  writer: AuditLineWriter,
  options: ExportOptions
): AsyncGenerator<Lines> {
  const chunks = readChunks(reader, options)
  const writing: Promise<Lines>[] = []
  let reading = chunks.next()
  for (let chunk = await reading; !chunk.done; chunk = await reading) {
    const { leaves, next } = chunk.value
    reading = chunks.next()
    const written = (leaves ? writer.write(leaves) : Promise.resolve(NONE)).then((lines) => ({ ...lines, next }))
    writing.push(written)
    // The promises may be awaited later or never, so rejections must be handled here.
    for (const promise of [reading, written]) promise.catch(() => {})
    if (writing.length > AHEAD) yield (await writing.shift()) as Lines
  }
  for (const written of writing) yield await written
}

async function* readChunks(reader: Reader, { format, filter, from, size }: ExportOptions) {
  const { report } = reader
  const packedBetween = await packedAudits(reader, filter)
  let count = LEAST * 4
  for (let first = from; first < size; ) {
    const next = Math.min(size, first + count)
    const runs = await readRuns(report, first, next)
    const packs: string[] = []
    for (const range of rangesOf(runs)) packs.push(await packedBetween(range))
    const found = packs.filter((pack) => pack !== NO_ROWS)
    // Read salts and digests after the events. If a part is erased between the two reads, its digest is then available.
    const leaves =
      found.length > 0 ? { format, runs, packs: found, ...(await proofsOf(reader, format, first, next)) } : undefined
    yield { leaves, next }
    first = next
    count = nextCount(
      count,
      found.reduce((sum, { length }) => sum + length, 0)
    )
  }
}

/** Reads all data that is needed for the lines of these leaves, apart from the events. */
async function proofsOf(
  { report }: Reader,
  format: LineFormat,
  from: number,
  to: number
): Promise<Omit<LeavesToWrite, 'format' | 'runs' | 'packs'>> {
  const [first, end] = [Math.floor(from / TILE_WIDTH), Math.ceil(to / TILE_WIDTH)]
  const salts = format === 'jsonl' ? await readSaltsBetween(report, first, end) : new Map()
  const erased = await readErased(report, from, to)
  const tiles = format === 'csv' ? await readTilesBetween(report, 0, first, end) : new Map()
  return { salts, erased, tiles }
}

/** Returns the number of leaves to read next, based on the text length of the last chunk. */
function nextCount(count: number, length: number) {
  const aimed = length < AIM / 2 ? count * 2 : length > AIM * 2 ? count / 2 : count
  return Math.min(MOST, Math.max(LEAST, aimed))
}
