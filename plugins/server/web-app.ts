import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { htmlPage } from '../http/html-page.ts'
import { patternOf } from '../http/path-patterns.ts'
import type { Plugin } from '../http/plugin.ts'
import { pathOf } from '../http/urls.ts'
import { assetsOf, sendAsset } from './assets.ts'

/** The paths of the app's pages. The server sends the same HTML for each, and the app renders the page for the path. */
export const pages = [
  '/',
  '/graphs',
  '/graphs/:id',
  '/graphs/:id/history',
  '/trash',
  '/audits',
  '/audits/:id',
  '/users',
  '/groups',
  '/account',
  '/sign-in',
  '/invite'
]

/** Serves the static files of the web app, which uses the API like any other client. */
const webApp: Plugin<{ files: BuiltFiles }> = async (app, { files }) => {
  const page = htmlPage(files, 'index.html', { hasFrames: true })
  const pageSchema = { hide: true, response: refusals(400) } as FastifySchema

  async function sendPage({ url }: FastifyRequest, reply: FastifyReply) {
    const address = withoutSlash(url)
    if (address !== undefined) return reply.redirect(address, 308)
    return page(reply)
  }

  for (const url of pages) app.get(url, { schema: pageSchema, handler: sendPage })
  // Only browsers get here, since plugins/server/methods.ts refuses other requests. The app reports that the page does not
  // exist.
  app.setNotFoundHandler((request, reply) => sendPage(request, reply.code(404)))

  const params = Type.Object({ name: Type.String() })
  const assets = assetsOf(files, 'application/manifest+json')
  app.get<{ Params: Static<typeof params> }>('/assets/:name', {
    schema: { hide: true, params, response: refusals(400, 404) } as FastifySchema,
    handler: async (request, reply) => {
      const asset = assets.get(`assets/${request.params.name}`)
      if (!asset) throw new ProblemError('route-not-found')
      // The file name changes with the content.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendAsset(request, reply, asset)
    }
  })
}

export default webApp

const patterns = pages.filter((url) => url !== '/').map(patternOf)

/** Returns the address without its trailing slash if the result is the address of a page. It never starts with `//`. */
function withoutSlash(url: string): string | undefined {
  const path = pathOf(url)
  const page = path.slice(0, -1)
  if (!path.endsWith('/') || !patterns.some((pattern) => pattern.test(page))) return undefined
  return page + url.slice(path.length)
}
