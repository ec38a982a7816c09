import { Readable } from 'node:stream'
import type { Share } from '../../graph/jobs/budget.ts'
import { currentRequester, runFor } from '../../graph/jobs/shares.ts'
import { takeTurn } from '../../graph/jobs/turns.ts'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import type { Listing } from './paging.ts'

/** The maximum number of rows to read and serialize without waiting for a turn. */
export const FEW = 32

/** The target size of a batch, in bytes. */
export const BATCH_BYTES = 64 * 1024

/** The minimum and maximum number of rows per batch. */
const [FEWEST, MOST] = [8, 128]

/** A row as JSON, with the values of the fields that the list is sorted by. */
export interface SerializedRow {
  json: Buffer
  keys: Record<string, SortKey>
}

interface Batch {
  rows: SerializedRow[]
  bytes: number
  /** The estimated size of rows that have been read but not serialized, in bytes. */
  waiting: number
}

/** Reads and serializes a slice in batches, each in a separate turn of the event loop. */
export async function* readInTurns<Row>(
  { rows, sortKey, key = 'id' }: Pick<Listing<Row>, 'rows' | 'sortKey' | 'key'>,
  serialize: (row: Row) => string,
  { sorts, limit, offset, after }: Slice
): AsyncGenerator<Batch> {
  let size = FEWEST
  for (let left = limit; left > 0; offset = 0) {
    await takeTurn()
    // For any other order, each query sorts the whole list, so the slice is read in a single query.
    const wanted = sorts[0]?.field === key ? Math.min(size, left) : left
    const found = await rows({ sorts, limit: wanted, offset, after })
    let last: SerializedRow | undefined
    for (let start = 0, end = 0; start < found.length; start = end) {
      if (start > 0) await takeTurn()
      end = Math.min(start + size, found.length)
      const batch = found.slice(start, end).map((row) => ({
        json: Buffer.from(serialize(row)),
        keys: Object.fromEntries(sorts.map(({ field }) => [field, sortKey(row, field)]))
      }))
      last = batch.at(-1)
      const bytes = batch.reduce((total, { json }) => total + json.length, 0)
      const average = bytes / batch.length
      // Each limit needs a separate prepared statement. Using powers of two limits the number of statements.
      size = Math.max(FEWEST, Math.min(MOST, 2 ** Math.floor(Math.log2(BATCH_BYTES / average))))
      yield { rows: batch, bytes, waiting: (found.length - end) * average }
    }
    if (!last || found.length < wanted) return
    left -= found.length
    const { keys } = last
    after = sorts.map(({ field }) => keys[field] as SortKey)
  }
}

/** Joins the rows with commas. */
export function joinRows(rows: SerializedRow[], head = '', tail = ''): Buffer {
  const parts = rows.flatMap(({ json }, index) => (index > 0 ? [COMMA, json] : [json]))
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(tail)])
}

const COMMA = Buffer.from(',')

/**
 * Streams the batches as one JSON array. The stream requests a batch only after the client has received the previous one, so at
 * most one batch is in memory. Its bytes are charged to `share`.
 */
export function streamBatches(batches: AsyncIterator<Batch>, share: Share): Readable {
  const requester = currentRequester()
  let head = '['
  return new Readable({
    highWaterMark: 0,
    async read() {
      try {
        // The connection calls this function outside the request's context.
        const { value, done } = await runFor(requester, () => batches.next())
        if (this.destroyed) return
        share.release()
        if (!done) {
          // A response in progress can exceed the budget.
          share.take(value.bytes, { mustCome: true })
          this.push(joinRows(value.rows, head))
          head = ','
          return
        }
        this.push(head === '[' ? '[]' : ']')
        this.push(null)
      } catch (error) {
        this.destroy(error as Error)
      }
    },
    destroy(error, done) {
      share.release()
      done(error)
    }
  })
}
