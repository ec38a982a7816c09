import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import {
  findLink,
  findLinkedGraph,
  findLinkedGraphInView,
  isShown,
  recordOpenings,
  requireLink,
  toLinkedGraph,
  type VisitedLink
} from '../../db/sharing/link-visits.ts'
import { verifyPassword } from '../../db/users/passwords.ts'
import { writableMediaTypes } from '../../graph/formats/index.ts'
import { ExportQuery } from '../../schemas/graph-file.ts'
import { LayoutQuery } from '../../schemas/layout.ts'
import { LinkedGraph, LinkOpening, LinkToken } from '../../schemas/link.ts'
import { ifNoneMatch } from '../../schemas/parameters.ts'
import { PictureQuery, pictureOptionsOf } from '../../schemas/picture.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import {
  answer,
  bodyRefusals,
  contentOrFile,
  emptyAnswer,
  etagHeader,
  layout,
  picture,
  refusals
} from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import { visitorHolder } from '../http/callers/requester.ts'
import type { Layouts } from '../http/contents/layouts.ts'
import type { Pictures } from '../http/contents/pictures.ts'
import { isKnown } from '../http/etags.ts'
import { checkedByEtag } from '../http/headers.ts'
import { acceptedPart } from '../http/negotiation.ts'
import type { Plugin } from '../http/plugin.ts'
import { isSignature } from '../http/signatures.ts'
import { GatheredOpenings } from './gathered-counts.ts'
import type { LinkAddresses } from './link-addresses.ts'

/** The interval between writes of collected visits, in milliseconds. */
const INTERVAL = 5000

/** Stands in for a link that does not exist. Its secret is as hard to guess as any other. */
const NO_LINK = { id: 0, salt: '' }

/**
 * Serves people who have a link but no account. The routes are public: a visitor first presents the link's secret, and then a
 * token that is valid only for this link.
 */
const linkVisits: Plugin<{ addresses: LinkAddresses; isOn: boolean; layouts: Layouts; pictures: Pictures }> = async (
  app,
  { addresses, isOn, layouts, pictures }
) => {
  const { store } = app
  const tags = ['links']
  const params = Type.Object({
    publicId: Type.String({ description: 'The public id of the link.', examples: ['uX3N0fXk9cVh2mQ0bSxJ4A'] })
  })
  const openings = new GatheredOpenings()

  app.post('/links/:publicId/open', {
    bodyLimit: 16 * 1024,
    schema: {
      tags,
      operationId: 'openLink',
      summary: 'Open a link',
      description:
        'Returns a token for the graph of the link. A link that is unknown, expired or revoked, a graph in the trash, and a wrong secret all give the same response: 404 `link-not-found`. 401 `link-password-required` is returned only if the secret is correct.',
      security: [],
      params,
      body: ref(LinkOpening),
      response: { 200: answer(LinkToken, 'Opened.'), ...refusals(...bodyRefusals, 401, 404, 429) }
    },
    handler: async (request) => {
      const { publicId } = request.params
      const { secret = '', password } = request.body
      const found = await findLink(store.read, publicId)
      const isRight = isSignature(secret, addresses.secretOf(found ?? NO_LINK))
      const link = isOn && isRight && found && isShown(found) ? found : undefined
      if (!link) {
        // The secret cannot be guessed, so only wrong secrets are throttled. Nobody without the secret can lock out other
        // visitors.
        await app.throttle.attempt(publicId, { address: request.ip, realm: 'link' }, async () => {})
        throw new ProblemError('link-not-found')
      }
      request.sender.holder = visitorHolder(link, request.ip)
      if (link.passwordHash !== null) await requirePassword(request, link, link.passwordHash, password)
      if (openings.add(link)) {
        const author = { principal: 'anonymous', request: auditRequestOf(request) }
        await store.write((trx) => recordOpenings(trx, author, link, 1))
      }
      const { token, lifetime } = app.linkTokens.issue(link)
      return { token, token_type: 'Bearer' as const, expires_in: lifetime }
    }
  })

  app.get('/links/:publicId/graph', {
    schema: {
      tags,
      operationId: 'getLinkedGraph',
      summary: 'Fetch the graph of a link',
      description:
        'Returns the record of the graph at the version that the link shows, the view, and what the link allows.',
      security: [{ bearer: [] }],
      headers: ifNoneMatch,
      params,
      response: {
        200: answer(LinkedGraph, 'The graph.', etagHeader),
        304: emptyAnswer('The client already has this state.', etagHeader),
        ...refusals(400, 401, 404)
      }
    },
    handler: async (request, reply) => {
      const link = await identify(request, request.params.publicId)
      const graph = toLinkedGraph(link, await findLinkedGraphInView(store.read, link))
      const etag = `"${hash('sha256', JSON.stringify(graph), 'base64url')}"`
      reply.headers({ 'cache-control': checkedByEtag, etag })
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
      return reply.send(graph)
    }
  })

  app.get('/links/:publicId/content', {
    schema: {
      tags,
      operationId: 'getLinkedContent',
      summary: 'Fetch the content of the graph of a link',
      description:
        'Returns GraphContent or, if the link allows downloads, a file in the format given by `format` or `Accept`. Otherwise, requests for files fail with 403 `download-not-allowed`.',
      security: [{ bearer: [] }],
      headers: ifNoneMatch,
      params,
      querystring: ExportQuery,
      response: {
        200: contentOrFile(writableMediaTypes, 'The content.'),
        304: emptyAnswer('The client already has this state.', etagHeader),
        ...refusals(400, 401, 403, 404, 406)
      }
    },
    handler: async (request, reply) => {
      const { headers, params, query } = request
      const link = await identify(request, params.publicId)
      reply.headers({ 'cache-control': checkedByEtag, vary: 'Accept' })
      const find = () => findLinkedGraph(store.read, link)
      const format = acceptedPart(headers.accept, query.format)
      if (!format) return reply.sendGraphContent(await find(), find)
      if (!link.downloads) throw new ProblemError('download-not-allowed')
      return reply.sendGraphFile(await find(), format.name, find, true)
    }
  })

  app.get('/links/:publicId/layout', {
    schema: {
      tags,
      operationId: 'getLinkedLayout',
      summary: 'Fetch the layout of the graph of a link',
      description: 'Like `GET /api/graphs/{id}/layout`, at the version that the link shows.',
      security: [{ bearer: [] }],
      headers: ifNoneMatch,
      params,
      querystring: LayoutQuery,
      response: { ...layout, ...refusals(400, 401, 404) }
    },
    handler: async (request, reply) => {
      const link = await identify(request, request.params.publicId)
      const find = () => findLinkedGraph(store.read, link)
      return layouts.send(reply, request.query.algorithm, await find(), find)
    }
  })

  for (const form of ['svg', 'png'] as const) {
    app.get(`/links/:publicId/picture.${form}`, {
      schema: {
        tags,
        operationId: form === 'svg' ? 'getLinkedPictureAsSvg' : 'getLinkedPictureAsPng',
        summary: `Fetch a picture of the graph of a link as ${form.toUpperCase()}`,
        description: `Like \`GET /api/graphs/{id}/picture.${form}\`, at the version and in the view that the link shows.`,
        security: [{ bearer: [] }],
        headers: ifNoneMatch,
        params,
        querystring: PictureQuery,
        response: { ...picture(form), ...refusals(401) }
      },
      handler: async (request, reply) => {
        const link = await identify(request, request.params.publicId)
        const find = () => findLinkedGraphInView(store.read, link)
        return pictures.send(reply, form, pictureOptionsOf(request.query), await find(), find)
      }
    })
  }

  /** Returns the link that the request's token is for. Throws `token-missing`, `token-invalid` or `link-not-found`. */
  async function identify(request: FastifyRequest, publicId: string): Promise<VisitedLink> {
    const { tv } = app.linkTokens.claimsOf(request, publicId)
    const found = await findLink(store.read, publicId)
    const link = requireLink(isOn && found && isShown(found) ? found : undefined)
    if (link.tokenVersion !== tv) throw new ProblemError('token-invalid')
    request.sender.holder = visitorHolder(link, request.ip)
    return link
  }

  /** Throws `link-password-required` if the password is missing or wrong, and `too-many-attempts` after too many attempts. */
  async function requirePassword(request: FastifyRequest, link: VisitedLink, phc: string, password = '') {
    const required = new ProblemError('link-password-required')
    // Pages prompt for the password after this error, so it does not count as an attempt.
    if (password === '') throw required
    const source = { address: request.ip, realm: 'link password' } as const
    const record = (outcome: 'FAILURE' | 'DENIED') => {
      const author = { principal: 'anonymous', request: auditRequestOf(request) }
      const target = { type: 'GRAPH', id: link.graphId, name: link.graphName ?? '' } as const
      return app.denials.record(author, { type: 'LINK_OPENED', outcome, target, data: { link: String(link.id) } })
    }
    await app.throttle.attempt(link.publicId, source, () => record('DENIED'))
    if (!(await app.throttle.verify(link.publicId, source, verifyPassword(password, phc)))) {
      await record('FAILURE')
      throw required
    }
    await app.throttle.succeeded(link.publicId, source)
  }

  /** Records the collected visits. Visits to a link deleted in the meantime are not recorded. */
  async function flush() {
    for (const { link, count } of openings.take()) {
      await store
        .write((trx) => recordOpenings(trx, { principal: 'anonymous' }, link, count))
        .catch((error: unknown) => app.log.warn({ err: error }, 'visits to a link could not be counted'))
    }
  }

  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(flush)
  }, INTERVAL).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
    await flush()
  })
}

export default linkVisits
