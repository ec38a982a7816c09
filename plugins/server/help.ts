import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { isKnown } from '../http/etags.ts'
import { ownFilesOnly } from '../http/headers.ts'
import { isNavigation } from '../http/navigations.ts'
import { acceptsEncoding } from '../http/negotiation.ts'
import type { Plugin } from '../http/plugin.ts'
import { assetsOf, sendAsset } from './assets.ts'

/** Serves the help, a site built from `docs/`. Only its search uses scripts. */
const help: Plugin<{ files: BuiltFiles }> = async (app, { files }) => {
  const assets = assetsOf(files, 'application/json; charset=utf-8')
  const params = Type.Object({ name: Type.String() })
  type Route = { Params: Static<typeof params> }
  const schema = { hide: true, response: refusals(400, 404) } as FastifySchema
  const named = { ...schema, params } as FastifySchema

  async function send(request: FastifyRequest, reply: FastifyReply, path: string) {
    const asset = assets.get(path)
    if (!asset) return refuse(request, reply)
    const encoding = acceptsEncoding('gzip', request.headers) ? '.gzip' : ''
    const etag = `"${await asset.hash()}${encoding}"`
    reply.headers({ etag, 'cache-control': 'no-cache', 'content-security-policy': ownFilesOnly })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).header('vary', 'Accept-Encoding').send()
    return sendAsset(request, reply, asset)
  }

  /** Responds with 404. Browsers get a page that includes the search box. */
  async function refuse(request: FastifyRequest, reply: FastifyReply) {
    if (assets.size === 0) throw new ProblemError('help-missing')
    const page = assets.get('404.html')
    reply.header('vary', 'Accept')
    if (!page || !isNavigation(request)) throw new ProblemError('route-not-found')
    return sendAsset(request, reply.code(404).header('content-security-policy', ownFilesOnly), page)
  }

  // The pages' links are relative.
  app.get('/help', { schema, handler: async (_request, reply) => reply.redirect('/help/', 308) })
  app.get('/help/', { schema, handler: (request, reply) => send(request, reply, 'index.html') })
  app.get<Route>('/help/:name', {
    schema: named,
    handler: (request, reply) => send(request, reply, request.params.name)
  })
  app.get<Route>('/help/images/:name', {
    schema: named,
    handler: (request, reply) => send(request, reply, `images/${request.params.name}`)
  })
}

export default help
