import fp from 'fastify-plugin'
import type { ListQuery } from '../../schemas/parameters.ts'
import { fetchPage, type Listing, type Page } from '../http/paging.ts'
import type { Plugin } from '../http/plugin.ts'
import { signerOf } from '../http/signatures.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the requested page of the list, with headers that describe it. Throws `cursor-invalid`. */
    sendPage<Row>(listing: Listing<Row>): Promise<never>
    /** Returns the page of the list that the query asks for, on behalf of the request's caller. Throws `cursor-invalid`. */
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
    const { rows, headers } = await this.fetchPage(listing, this.request.query as ListQuery & Record<string, unknown>)
    return this.headers(headers).send(listing.show ? await listing.show(rows) : rows) as never
  })
}

export default fp(paging, { name: 'paging' })
