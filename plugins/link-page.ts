import { Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { findLink } from '../db/link-visits.ts'
import { originsOf } from '../db/links.ts'
import { refusals } from '../schemas/responses.ts'
import type { BuiltFiles } from './http/built-files.ts'
import { htmlPage } from './http/html-page.ts'
import type { Plugin } from './http/plugin.ts'

/**
 * The page of links, a client of the API like others. It is the same for every address, and has no cookies. Only pages of the link's
 * origins may have it in a frame; those who know the public id of a link learn its origins by that, and nothing else.
 */
const linkPage: Plugin<{ files: BuiltFiles; isOn: boolean }> = async (app, { files, isOn }) => {
  const sendPage = htmlPage(files, 'share.html')
  const params = Type.Object({ publicId: Type.String() })

  app.get<{ Params: { publicId: string } }>(
    '/s/:publicId',
    { schema: { hide: true, params, response: refusals(400) } as FastifySchema },
    async (request, reply) => {
      const link = isOn ? await findLink(app.store.read, request.params.publicId) : undefined
      // `frame-ancestors` tells the same, and can name origins.
      reply.removeHeader('x-frame-options')
      const origins = link ? originsOf(link) : []
      // The app shows a preview to owners.
      return sendPage(reply, origins.length > 0 ? ["'self'", ...origins] : [])
    }
  )
}

export default linkPage
