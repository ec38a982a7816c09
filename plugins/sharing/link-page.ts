import { Type } from '@sinclair/typebox'
import type { FastifySchema } from 'fastify'
import { findLink, findLinkedGraphInView, isShown, requireLink } from '../../db/sharing/link-visits.ts'
import { originsOf } from '../../db/sharing/links.ts'
import { refusals } from '../../schemas/responses.ts'
import type { BuiltFiles } from '../http/built-files.ts'
import { visitorHolder } from '../http/callers/requester.ts'
import type { Pictures } from '../http/contents/pictures.ts'
import { htmlPage } from '../http/html-page.ts'
import type { Plugin } from '../http/plugin.ts'
import type { LinkAddresses } from './link-addresses.ts'

/** The size and theme of link previews. Most programs expect this size. */
const LOOK = { width: 1200, height: 630, theme: 'light' } as const

/**
 * The page for links, which uses the API like any other client. It is the same for every address, and sets no cookies. Only
 * pages from the link's origins may embed it in a frame. Anyone who knows a link's public id can discover these origins, but
 * nothing else. Programs that show a preview see only the address without its secret, so they get a picture at most, and only
 * if the owner allows it.
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
      // `frame-ancestors` serves the same purpose and can list origins.
      reply.removeHeader('x-frame-options')
      const origins = link ? originsOf(link) : []
      // The web app shows owners a preview of the embedded page.
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
      // Allows pages on other sites to load the picture when they show the link.
      reply.header('cross-origin-resource-policy', 'cross-origin')
      const findGraph = () => findLinkedGraphInView(app.store.read, link)
      return pictures.send(reply, 'png', LOOK, await findGraph(), findGraph)
    }
  })
}

export default linkPage

/**
 * Returns the Open Graph tags for a preview (https://ogp.me). They are the same whether or not the link exists. They do not
 * include `og:url`, since programs would show that address, which lacks the secret. If there is no public address, returns no
 * tags, since the picture's address must be absolute.
 */
function tagsOf(preview: string | undefined): string {
  if (preview === undefined) return ''
  const { width, height } = LOOK
  const properties = { image: preview, 'image:type': 'image/png', 'image:width': width, 'image:height': height }
  const tags = Object.entries(properties).map(([name, value]) => `<meta property="og:${name}" content="${value}">`)
  return `${tags.join('')}<meta name="twitter:card" content="summary_large_image">`
}
