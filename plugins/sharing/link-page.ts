import { Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { findLink, findLinkedGraph, isShown, requireLink } from '../../db/sharing/link-visits.ts'
import { originsOf } from '../../db/sharing/links.ts'
import { refusals } from '../../schemas/responses.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { visitorHolder } from '../http/callers/requester.ts'
import type { Pictures } from '../http/contents/pictures.ts'
import { htmlPage } from '../http/html-page.ts'
import type { Plugin } from '../http/plugin.ts'
import type { LinkAddresses } from './link-addresses.ts'

/** The look of a preview: the size that programs show beside a link. */
const LOOK = { width: 1200, height: 630, theme: 'light' } as const

/**
 * The page of links, a client of the API like others. It is the same for every address, and has no cookies. Only pages of the link's
 * origins may have it in a frame; those who know the public id of a link learn its origins by that, and nothing else. Programs that show
 * a link to people have its address without the secret: they get a picture if the owner allows it, and nothing else.
 */
const linkPage: Plugin<{ files: BuiltFiles; addresses: LinkAddresses; isOn: boolean; pictures: Pictures }> = async (
  app,
  { files, addresses, isOn, pictures }
) => {
  const sendPage = htmlPage(files, 'share.html')
  const params = Type.Object({ publicId: Type.String() })
  const find = async (publicId: string) => (isOn ? findLink(app.store.read, publicId) : undefined)

  app.get<{ Params: { publicId: string } }>('/s/:publicId', {
    schema: { hide: true, params, response: refusals(400) } as FastifySchema,
    handler: async (request, reply) => {
      const { publicId } = request.params
      const link = await find(publicId)
      // `frame-ancestors` tells the same, and can name origins.
      reply.removeHeader('x-frame-options')
      const origins = link ? originsOf(link) : []
      // The app shows a preview to owners.
      return sendPage(reply, origins.length > 0 ? ["'self'", ...origins] : [], tagsOf(addresses.previewOf(publicId)))
    }
  })

  app.get<{ Params: { publicId: string } }>('/s/:publicId/preview.png', {
    schema: { hide: true, params, response: refusals(400, 404) } as FastifySchema,
    handler: async (request, reply) => {
      const found = await find(request.params.publicId)
      const isAllowed = found && isShown(found) && Boolean(found.preview) && found.passwordHash === null
      const link = requireLink(isAllowed ? found : undefined)
      request.sender.holder = visitorHolder(link, request.ip)
      // Pages that show the link beside others' may load it.
      reply.header('cross-origin-resource-policy', 'cross-origin')
      const findGraph = () => findLinkedGraph(app.store.read, link)
      return pictures.send(reply, 'png', LOOK, await findGraph(), findGraph)
    }
  })
}

export default linkPage

/**
 * Returns the tags that name a preview (https://ogp.me): the same for all links, whether they exist or not. There is no `og:url`, since
 * programs would show that address, which lacks the secret. None without an address, which has to be absolute.
 */
function tagsOf(preview: string | undefined): string {
  if (preview === undefined) return ''
  const { width, height } = LOOK
  const properties = { image: preview, 'image:type': 'image/png', 'image:width': width, 'image:height': height }
  const tags = Object.entries(properties).map(([name, value]) => `<meta property="og:${name}" content="${value}">`)
  return `${tags.join('')}<meta name="twitter:card" content="summary_large_image">`
}
