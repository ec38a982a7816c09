import fp from 'fastify-plugin'
import type { ListQuery } from '../schemas/parameters.ts'
import { fetchPage, type Listing } from './http/paging.ts'
import type { Plugin } from './http/plugin.ts'
import { signerOf } from './http/signatures.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the page of the list that the request asks for, with the headers that describe it. Throws `cursor-invalid`. */
    sendPage<Row>(listing: Listing<Row>): Promise<never>
  }
}

/** Pages of lists. `cursorKey` signs the cursors. */
const paging: Plugin<{ cursorKey: Buffer }> = async (app, { cursorKey }) => {
  const sign = signerOf(cursorKey)
  app.decorateReply('sendPage', async function (listing) {
    const { actor, query } = this.request
    const { rows, headers } = await fetchPage({
      ...listing,
      query: query as ListQuery & Record<string, unknown>,
      caller: actor.subject,
      sign
    })
    return this.headers(headers).send(rows) as never
  })
}

export default fp(paging, { name: 'paging' })
