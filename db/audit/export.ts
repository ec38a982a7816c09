import { TILE_WIDTH } from '../../audit/tiles.ts'
import type { Reader } from '../store.ts'
import { type AuditFilter, packedAudits } from './events.ts'
import { rangesOf, readErased } from './leaves.ts'
import { type AuditLineWriter, WRITERS } from './line-writer.ts'
import type { LeavesToWrite, LineFormat, WrittenLeaves } from './lines.ts'
import { readRuns, readSaltsBetween, readTilesBetween } from './log.ts'
import { NO_ROWS } from './rows.ts'

/** The leaves of an export. */
export interface ExportOptions {
  format: LineFormat
  filter: AuditFilter
  /** From this index on. */
  from: number
  /** Of the tree of this size. */
  size: number
}

/** Lines of an export, and the index behind the last leaf that they may have. */
export interface Lines extends WrittenLeaves {
  next: number
}

const NONE: WrittenLeaves = { bytes: new Uint8Array(), count: 0 }

/** The chunks that are written or wait for a thread while one is being taken: each thread has the next one at once. */
const AHEAD = WRITERS + 1

/** The fewest and the most leaves that are read at once. */
const [LEAST, MOST] = [64, 2048]

/** The size of the text of rows to which the number of leaves is adapted. */
const AIM = 128 * 1024

/**
 * Returns the lines of the leaves that match the filter, in the order of their indices, chunk by chunk. While a chunk is being taken, the
 * next ones are written and the one behind them is read. Leaves whose events are removed meanwhile are left out.
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
    // They are awaited later, if at all.
    for (const promise of [reading, written]) promise.catch(() => {})
    if (writing.length > AHEAD) yield (await writing.shift()) as Lines
  }
  for (const written of writing) yield await written
}

async function* readChunks(reader: Reader, { format, filter, from, size }: ExportOptions) {
  const { scan } = reader
  const packedBetween = await packedAudits(reader, filter)
  let count = LEAST * 4
  for (let first = from; first < size; ) {
    const next = Math.min(size, first + count)
    const runs = await readRuns(scan, first, next)
    const packs: string[] = []
    for (const range of rangesOf(runs)) packs.push(await packedBetween(range))
    const found = packs.filter((pack) => pack !== NO_ROWS)
    // Salts and digests are read after the events: if a part is erased in between, its digest is there.
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

/** Reads what the lines of these leaves need besides the events. */
async function proofsOf(
  { scan }: Reader,
  format: LineFormat,
  from: number,
  to: number
): Promise<Omit<LeavesToWrite, 'format' | 'runs' | 'packs'>> {
  const [first, end] = [Math.floor(from / TILE_WIDTH), Math.ceil(to / TILE_WIDTH)]
  const salts = format === 'jsonl' ? await readSaltsBetween(scan, first, end) : new Map()
  const erased = await readErased(scan, from, to)
  const tiles = format === 'csv' ? await readTilesBetween(scan, 0, first, end) : new Map()
  return { salts, erased, tiles }
}

/** Returns the number of leaves to read next, by the text of the last ones. */
function nextCount(count: number, length: number) {
  const aimed = length < AIM / 2 ? count * 2 : length > AIM * 2 ? count / 2 : count
  return Math.min(MOST, Math.max(LEAST, aimed))
}
