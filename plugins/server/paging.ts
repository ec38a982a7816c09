import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { DEFAULT_SIZE, type ListQuery, type Slice } from '../../schemas/parameters.ts'
import { BATCH_BYTES, FEW, joinRows, readInTurns, type SerializedRow, streamBatches } from '../http/batches.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import { fetchPage, type Listing, type Page } from '../http/paging.ts'
import type { Plugin } from '../http/plugin.ts'
import { signerOf } from '../http/signatures.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the requested page of the list, with headers that describe it. Throws `cursor-invalid`. */
    sendPage<Row>(listing: Listing<Row>): Promise<never>
    /** Sends all rows of the list. Long lists are streamed. */
    sendAll<Row>(listing: Pick<Listing<Row>, 'direction' | 'rows' | 'sortKey'>): Promise<never>
    /** Returns the page of the list that the query requests, on behalf of the request's caller. Throws `cursor-invalid`. */
    fetchPage<Row>(listing: Listing<Row>, query: ListQuery & Record<string, unknown>): Promise<Page<Row>>
  }
}

/** Provides pagination. `cursorKey` signs the cursors. */
const paging: Plugin<{ cursorKey: Buffer }> = async (app, { cursorKey }) => {
  const sign = signerOf(cursorKey)
  app.decorateReply('fetchPage', function (listing, query) {
    return fetchPage({ ...listing, query, caller: this.request.actor.subject, sign })
  })
  app.decorateReply('sendPage', async function (listing) {
    const query = this.request.query as ListQuery & Record<string, unknown>
    if (listing.hasLongRows && Number(query.size ?? DEFAULT_SIZE) > FEW) return sendLongPage(this, listing, query)
    const { rows, headers } = await this.fetchPage(listing, query)
    return this.headers(headers).send(listing.show ? await listing.show(rows) : rows) as never
  })

  /** Reads and serializes the page in batches. Rows waiting to be sent count towards the budget. */
  async function sendLongPage<Row>(
    reply: FastifyReply,
    listing: Listing<Row>,
    query: ListQuery & Record<string, unknown>
  ) {
    const share = app.sendBudget.share(() => reply.raw.destroy())
    let total = 0
    let isOver = false
    const readRows = async (slice: Slice) => {
      const all: SerializedRow[] = []
      for await (const { rows, bytes, waiting } of readInTurns(listing, serializerOf(reply), slice)) {
        // Counting the rows failed, and the error has been sent.
        if (isOver) break
        all.push(...rows)
        total += bytes
        share.release()
        share.take(total + waiting)
      }
      return all
    }
    const sortKey = ({ keys }: SerializedRow, field: string) => keys[field] ?? ''
    const { fitting: _fitting, show: _show, ...rest } = listing
    const page = reply.fetchPage({ ...rest, rows: readRows, sortKey }, query)
    // From here on, the response itself counts towards the budget.
    const { rows, headers } = await page.finally(() => {
      isOver = true
      share.release()
    })
    return reply
      .headers(headers)
      .type(JSON_TYPE)
      .send(joinRows(rows, '[', ']')) as never
  }

  app.decorateReply('sendAll', async function (listing) {
    const slice = { sorts: [{ field: 'id', direction: listing.direction }], offset: 0, after: undefined }
    const first = await listing.rows({ ...slice, limit: FEW })
    if (first.length < FEW) return this.send(first) as never
    this.type(JSON_TYPE)
    // HEAD has no body to stream.
    if (this.request.method === 'HEAD') return this.send(Readable.from([])) as never
    const share = app.sendBudget.share(() => this.raw.destroy())
    share.take(BATCH_BYTES)
    const batches = readInTurns(listing, serializerOf(this), { ...slice, limit: Number.POSITIVE_INFINITY })
    const answer = streamBatches(batches, share)
    whenClosed(this.raw, () => answer.destroy())
    return this.send(answer) as never
  })
}

export default fp(paging, { name: 'paging', dependencies: ['send-budget'] })

const JSON_TYPE = 'application/json; charset=utf-8'

/** Returns the function that serializes a row of the route's list. */
function serializerOf(reply: FastifyReply) {
  return (row: unknown) => String(reply.serializeInput([row] as never, '200')).slice(1, -1)
}
