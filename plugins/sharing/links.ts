import { Type } from '@sinclair/typebox'
import { shownViewOf } from '../../db/sharing/link-visits.ts'
import {
  createLink,
  type LinkValues,
  listLinks,
  originsOf,
  requireLinkable,
  revokeLink,
  updateLink
} from '../../db/sharing/links.ts'
import type { LinkRow } from '../../db/tables.ts'
import { hashPassword } from '../../db/users/passwords.ts'
import { Link, LinkCreate, LinkPatch } from '../../schemas/link.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, emptyAnswer, locationHeader, refusals } from '../../schemas/responses.ts'
import { idDigits, ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import type { LinkAddresses } from './link-addresses.ts'

/**
 * The maximum size of a body, in bytes. This is enough for the longest name, password and origins, even with every character
 * escaped.
 */
const LONGEST = 64 * 1024

/**
 * The scheme, host and port that `frame-ancestors` allows (CSP 3, section 2.3.1), except wildcards. IPv6 addresses are not
 * allowed.
 */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/

/** Manages links to graphs, for owners and administrators. The context authenticates the caller. */
const links: Plugin<{ addresses: LinkAddresses; isOn: boolean }> = async (app, { addresses, isOn }) => {
  const { store } = app
  const tags = ['links']
  const params = Type.Object({
    ...IdParameter.properties,
    linkId: idDigits({ description: 'The id of the link.', examples: ['3'] })
  })

  app.get('/graphs/:id/links', {
    // Requires write access: the response contains addresses, which let others read the graph even after the token has expired.
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'listLinks',
      summary: 'List the links of a graph',
      description: 'Returns all links with their addresses, oldest first. For owners and administrators.',
      params: IdParameter,
      response: { 200: answer(Type.Array(ref(Link)), 'All links.'), ...refusals(400, 403, 404) }
    },
    handler: async ({ actor, params }) => (await listLinks(store.read, actor, idOf(params.id))).map(toLink)
  })

  app.post('/graphs/:id/links', {
    bodyLimit: LONGEST,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'createLink',
      summary: 'Create a link to a graph',
      description:
        'Anyone who has the address can see the graph without an account until the link expires or is revoked. Fails with 403 `links-off` if link sharing is disabled, and 409 `too-many-links` if the graph has 100 links.',
      params: IdParameter,
      body: ref(LinkCreate),
      response: { 201: answer(Link, 'Created.', locationHeader), ...refusals(...bodyRefusals, 403, 404, 409) }
    },
    handler: async (request, reply) => {
      const { actor, body } = request
      const id = idOf(request.params.id)
      await requireLinkable(store.read, actor, id)
      if (!isOn) throw new ProblemError('links-off')
      const values = await valuesOf(body)
      const link = await request.write((trx, actor) => createLink(trx, actor, id, values))
      return reply.code(201).header('location', `/api/graphs/${id}/links/${link.id}`).send(toLink(link))
    }
  })

  app.patch('/graphs/:id/links/:linkId', {
    bodyLimit: LONGEST,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'updateLink',
      summary: 'Change a link to a graph',
      description:
        'Applies a JSON Merge Patch (RFC 7396). Takes effect on the next request of each visitor. If the password changes, visitors have to open the link again. The address stays the same.',
      params,
      body: ref(LinkPatch),
      response: { 200: answer(Link, 'Changed.'), ...refusals(...bodyRefusals, 403, 404) }
    },
    handler: async (request) => {
      const { actor, body, params } = request
      const [id, linkId] = [idOf(params.id), idOf(params.linkId)]
      await requireLinkable(store.read, actor, id)
      const values = await valuesOf(body)
      const link = await request.write(async (trx, actor) => {
        const changed = await updateLink(trx, actor, { id, linkId }, values)
        // The version that the link showed before may now be beyond the limit.
        if (values.version !== undefined) await app.graphs.trimHistory(trx, id)
        return changed
      })
      return toLink(link)
    }
  })

  app.delete('/graphs/:id/links/:linkId', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'revokeLink',
      summary: 'Revoke a link to a graph',
      description: 'The link and the tokens of its visitors are refused from then on.',
      params,
      response: { 204: emptyAnswer('Revoked.'), ...refusals(400, 403, 404) }
    },
    handler: async (request, reply) => {
      const [id, linkId] = [idOf(request.params.id), idOf(request.params.linkId)]
      await request.write(async (trx, actor) => {
        await revokeLink(trx, actor, id, linkId)
        await app.graphs.trimHistory(trx, id)
      })
      return reply.code(204).send()
    }
  })

  /** Returns the link in the form shown to its owner. */
  function toLink(row: LinkRow): Link {
    const { id, publicId, name, version, expiresAt, passwordHash, downloads, preview, createdAt, createdBy } = row
    const view = shownViewOf(row)
    return {
      id,
      publicId,
      url: addresses.urlOf(row),
      ...(name !== null && { name }),
      ...(version !== null && { version }),
      ...(view !== undefined && { view }),
      ...(expiresAt !== null && { expiresAt }),
      hasPassword: passwordHash !== null,
      origins: originsOf(row),
      downloads: Boolean(downloads),
      preview: Boolean(preview),
      createdAt,
      createdBy,
      openCount: row.openCount,
      ...(row.lastOpenedAt !== null && { lastOpenedAt: row.lastOpenedAt })
    }
  }
}

export default links

/** Returns the values that the body sets. Throws `validation-failed` or `server-busy`. */
async function valuesOf({
  name,
  version,
  expiresAt,
  password,
  origins,
  downloads,
  preview,
  view
}: LinkPatch): Promise<Partial<LinkValues>> {
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt && futureTime(expiresAt) }),
    ...(origins !== undefined && { origins: normalOrigins(origins ?? []) }),
    ...(downloads !== undefined && { downloads }),
    ...(preview !== undefined && { preview }),
    ...(view !== undefined && { view }),
    // Hashing comes last, so that no time is spent on it for refused requests.
    ...(password !== undefined && { passwordHash: password && (await hashPassword(password)) })
  }
}

function futureTime(text: string): string {
  const time = new Date(text)
  const refuse = (detail: string) => invalid({ pointer: '#/expiresAt', code: 'out-of-range', detail })
  // The schema allows a leap second, which Date does not support.
  if (Number.isNaN(time.getTime())) throw refuse('is not a valid time')
  if (time.getTime() <= Date.now()) throw refuse('is in the past')
  return time.toISOString()
}

function normalOrigins(texts: string[]): string[] {
  const origins = texts.map(normalOrigin)
  const faults = origins.flatMap((origin, index) => {
    const detail = 'is not an origin such as https://wiki.example.org'
    return origin === undefined ? [{ pointer: `#/origins/${index}`, code: 'malformed', detail }] : []
  })
  if (faults.length > 0) throw invalid(...faults)
  return [...new Set(origins as string[])]
}

/** Returns the origin in canonical form, such as `https://example.org`, or undefined if the text is not an origin. */
function normalOrigin(text: string): string | undefined {
  if (/[\s*]/.test(text)) return undefined
  const url = URL.parse(text)
  // Anything beyond the origin is refused rather than dropped, since it would not have the effect that its author expects.
  if (!url || url.href !== `${url.origin}/` || !ORIGIN.test(url.origin)) return undefined
  return url.origin
}
