import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import * as account from '../../schemas/account.ts'
import * as apiToken from '../../schemas/api-token.ts'
import * as audit from '../../schemas/audit.ts'
import * as auditLog from '../../schemas/audit-log.ts'
import * as contentPatch from '../../schemas/content-patch.ts'
import * as diff from '../../schemas/diff.ts'
import * as grant from '../../schemas/grant.ts'
import * as graph from '../../schemas/graph.ts'
import * as graphContent from '../../schemas/graph-content.ts'
import * as graphFile from '../../schemas/graph-file.ts'
import * as graphPart from '../../schemas/graph-part.ts'
import * as group from '../../schemas/group.ts'
import * as health from '../../schemas/health.ts'
import * as invitation from '../../schemas/invitation.ts'
import * as layout from '../../schemas/layout.ts'
import * as link from '../../schemas/link.ts'
import * as ownCredentials from '../../schemas/own-credentials.ts'
import { NoQuery } from '../../schemas/parameters.ts'
import * as problem from '../../schemas/problem.ts'
import { refusals } from '../../schemas/responses.ts'
import * as savedView from '../../schemas/saved-view.ts'
import * as search from '../../schemas/search.ts'
import * as secondFactor from '../../schemas/second-factor.ts'
import * as session from '../../schemas/session.ts'
import * as signIn from '../../schemas/sign-in.ts'
import * as style from '../../schemas/style.ts'
import * as tag from '../../schemas/tag.ts'
import * as trash from '../../schemas/trash.ts'
import { MAX_INTEGER } from '../../schemas/types.ts'
import * as user from '../../schemas/user.ts'
import * as graphVersion from '../../schemas/version.ts'
import { sendShared } from '../http/bodies/pieces.ts'
import { SESSION } from '../http/callers/cookies.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the document as text, for `/openapi.json` and for the command line. Call it once the app is ready. */
    openapiText(): string
  }
}

/** The named schemas, which are the components of the document and the targets of `ref()`. */
const components = [
  graph,
  graphContent,
  contentPatch,
  graphFile,
  graphVersion,
  diff,
  trash,
  audit,
  auditLog,
  grant,
  style,
  savedView,
  layout,
  link,
  signIn,
  session,
  ownCredentials,
  invitation,
  secondFactor,
  graphPart,
  search,
  tag,
  user,
  group,
  account,
  apiToken,
  health,
  problem
]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((value) => typeof value === 'object' && value !== null && '$id' in value)

/** Describes the service in OpenAPI 3.1, using the schemas of all routes registered later. */
const openapi: Plugin<{ version: string }> = async (app, { version }) => {
  for (const component of components) app.addSchema(component)

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Graphstead',
        version,
        description:
          'Stores graphs, shares them between people, and keeps an audit trail of everything that happens to them.',
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
        contact: { name: 'The operators of this server' }
      },
      servers: [{ url: '/', description: 'This server.' }],
      tags: [
        { name: 'graphs', description: 'Graphs and their content.' },
        { name: 'history', description: 'Compare and restore versions of graphs.' },
        { name: 'trash', description: 'Deleted graphs.' },
        { name: 'account', description: 'Sign in and out, and manage your own account.' },
        { name: 'tokens', description: 'API tokens, which programs use instead of a password.' },
        { name: 'users', description: 'User accounts, for administrators.' },
        { name: 'groups', description: 'Groups of users, to which graphs can be granted.' },
        { name: 'sharing', description: 'The people and groups that can access a graph.' },
        { name: 'views', description: 'Saved views of a graph.' },
        { name: 'links', description: 'Links that show a graph to people without an account.' },
        { name: 'audits', description: 'The audit trail, for administrators and auditors.' },
        { name: 'health', description: 'Health checks and metrics.' }
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'Either the `id_token` from `POST /api/authenticate`, or an API token (`gst_…`) with the scope that the operation lists. Operations that list no scope refuse API tokens, except for `getAccount`. Operations under `/api/links/` accept only the `token` from `POST /api/links/{publicId}/open`.'
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION,
            description:
              'The cookie set by `POST /api/session`, for browsers. Over TLS its name is `__Host-graphstead_session`. A request that sends it more than once is refused. Requests that make changes must come from a page of this server.'
          }
        }
      }
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
    transformObject: (document) => polish('openapiObject' in document ? document.openapiObject : {})
  })

  let text: string | undefined
  app.decorate('openapiText', () => {
    text ??= `${JSON.stringify(app.swagger(), null, 2)}\n`
    return text
  })

  let bytes: Buffer | undefined
  app.get(
    '/openapi.json',
    {
      schema: {
        hide: true,
        querystring: NoQuery,
        response: refusals(400)
      } as FastifySchema
    },
    async (_request, reply) => {
      bytes ??= Buffer.from(app.openapiText())
      return sendShared(reply.type('application/json; charset=utf-8'), bytes)
    }
  )
}

export default fp(openapi, { name: 'openapi' })

type Json = Record<string, unknown>
type Operation = {
  parameters?: Json[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, Json>
}

/** Translates Ajv extensions to OpenAPI, and moves the parts shared by all operations to components. */
function polish<Document extends object>(original: Document): Document {
  const document = rewrite(original) as { paths: Record<string, Record<string, Operation>>; components: Json }
  const shared: Record<string, unknown> = {}
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        response.headers = {
          ...(response.headers as object),
          'X-Request-Id': { $ref: '#/components/headers/RequestId' }
        }
        if (Number(status) < 400) continue
        shared[`Problem${status}`] = response
        operation.responses[status] = { $ref: `#/components/responses/Problem${status}` }
      }
      // A merge patch has its own media type, but is also accepted as JSON.
      const content = operation.requestBody?.content ?? {}
      const json = content['application/json']
      if (json?.schema.$ref === '#/components/schemas/GraphPatch') content['application/merge-patch+json'] = json
    }
  }
  document.components.responses = shared
  document.components.headers = {
    RequestId: {
      description: 'Identifies this request in logs and audit events.',
      schema: { type: 'string', format: 'uuid' }
    }
  }
  return document as unknown as Document
}

/**
 * Returns a copy with the schemas adapted for the OpenAPI document: `digits` strings and their parameters' examples become
 * integers, and hidden properties are omitted.
 */
function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite)
  if (typeof value !== 'object' || value === null) return value
  const { digits, shown, ...rest } = value as Json & { digits?: { minimum: number | bigint; maximum: number | bigint } }
  if (typeof shown === 'object') return rewrite(shown)
  const entries = Object.entries(rest).filter(([, item]) => !isUnshown(item))
  const copy: Json = Object.fromEntries(entries.map(([key, item]) => [key, rewrite(item)]))
  if (typeof copy.example === 'string' && (copy.schema as Json).type === 'integer') copy.example = Number(copy.example)
  if (digits === undefined) return copy
  // JSON numbers cannot represent the largest int64 exactly, so the format replaces the maximum.
  const maximum = digits.maximum <= MAX_INTEGER && { maximum: Number(digits.maximum) }
  return { ...copy, type: 'integer', format: 'int64', minimum: Number(digits.minimum), ...maximum }
}

function isUnshown(value: unknown) {
  return typeof value === 'object' && value !== null && 'shown' in value && value.shown === false
}
