import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { Credentials, PasswordChange, Token } from '../../schemas/account.ts'
import { ApiToken, CreatedToken, TokenCreate } from '../../schemas/api-token.ts'
import { AuditEvent, AuditRequest, AuditTarget, AuditToken, DayOfActivity } from '../../schemas/audit.ts'
import { Consistency } from '../../schemas/audit-log.ts'
import { ContentPatch, EdgePatch, NodePatch } from '../../schemas/content-patch.ts'
import {
  Change,
  ContentDiff,
  EdgeChange,
  EdgeChangeList,
  EdgeDiff,
  EdgeList,
  FileDiff,
  GraphDiff,
  NodeChange,
  NodeChangeList,
  NodeDiff,
  NodeList
} from '../../schemas/diff.ts'
import { Grant, GrantUpdate } from '../../schemas/grant.ts'
import { Graph, GraphCreate, GraphPatch, GraphRecord, GraphUpdate } from '../../schemas/graph.ts'
import { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'
import { ImportReport, ImportResult, ImportTable, Loss } from '../../schemas/graph-file.ts'
import {
  AttributeSummaries,
  AttributeSummary,
  AttributeValue,
  ComponentSummary,
  DegreeSummary,
  GraphSummary,
  SubgraphQuestion
} from '../../schemas/graph-part.ts'
import { Group, GroupCreate, GroupPatch, GroupWithMembers } from '../../schemas/group.ts'
import { Health } from '../../schemas/health.ts'
import { Link, LinkCreate, LinkedGraph, LinkOpening, LinkPatch, LinkToken } from '../../schemas/link.ts'
import { NoQuery } from '../../schemas/parameters.ts'
import { Fault, Problem } from '../../schemas/problem.ts'
import { refusals } from '../../schemas/responses.ts'
import { SavedView, ViewUpdate } from '../../schemas/saved-view.ts'
import { SearchMatch, SearchResult } from '../../schemas/search.ts'
import {
  Confirmation,
  OwnCredentials,
  OwnPassword,
  RecoveryCodeList,
  SecondFactor,
  SecondFactorSetup
} from '../../schemas/second-factor.ts'
import { Session } from '../../schemas/session.ts'
import { Identity, IdentityLink, LogoutNotice, SignInLocation, SignInWays } from '../../schemas/sign-in.ts'
import { TagCount } from '../../schemas/tag.ts'
import { TrashedGraph } from '../../schemas/trash.ts'
import { MAX_INTEGER } from '../../schemas/types.ts'
import { Account, User, UserCreate, UserPatch } from '../../schemas/user.ts'
import { GraphVersion, Restoration } from '../../schemas/version.ts'
import { sendShared } from '../http/bodies/pieces.ts'
import { SESSION } from '../http/callers/cookies.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the document as text, for `/openapi.json` and for the command line. Callable when the app is ready. */
    openapiText(): string
  }
}

/** The components of the document, which `ref()` may refer to. */
const components = [
  Graph,
  GraphRecord,
  GraphCreate,
  GraphUpdate,
  GraphPatch,
  GraphContent,
  Node,
  Edge,
  ContentPatch,
  NodePatch,
  EdgePatch,
  ImportReport,
  ImportResult,
  ImportTable,
  Loss,
  GraphVersion,
  Restoration,
  ContentDiff,
  FileDiff,
  GraphDiff,
  NodeDiff,
  EdgeDiff,
  NodeList,
  EdgeList,
  NodeChangeList,
  EdgeChangeList,
  NodeChange,
  EdgeChange,
  Change,
  TrashedGraph,
  AuditEvent,
  AuditTarget,
  AuditRequest,
  AuditToken,
  DayOfActivity,
  Consistency,
  Grant,
  GrantUpdate,
  SavedView,
  ViewUpdate,
  Link,
  LinkCreate,
  LinkPatch,
  LinkOpening,
  LinkToken,
  LinkedGraph,
  SignInWays,
  SignInLocation,
  Identity,
  Session,
  SecondFactor,
  OwnCredentials,
  OwnPassword,
  SecondFactorSetup,
  Confirmation,
  RecoveryCodeList,
  IdentityLink,
  LogoutNotice,
  AttributeSummaries,
  AttributeSummary,
  AttributeValue,
  ComponentSummary,
  DegreeSummary,
  GraphSummary,
  SubgraphQuestion,
  SearchMatch,
  SearchResult,
  TagCount,
  User,
  UserCreate,
  UserPatch,
  Account,
  Group,
  GroupWithMembers,
  GroupCreate,
  GroupPatch,
  Credentials,
  Token,
  PasswordChange,
  ApiToken,
  CreatedToken,
  TokenCreate,
  Health,
  Problem,
  Fault
]

/** Describes the service in OpenAPI 3.1, by the schemas of the routes that are registered after it. */
const openapi: Plugin<{ version: string }> = async (app, { version }) => {
  for (const component of components) app.addSchema(component)

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Graphstead',
        version,
        description:
          'Keeps graph records, shares them between people, and keeps an audit trail of everything that happens to them.',
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
        contact: { name: 'The people who run this server' }
      },
      servers: [{ url: '/', description: 'This server.' }],
      tags: [
        { name: 'graphs', description: 'Graph records and their content.' },
        { name: 'history', description: 'The versions of graphs: what changed, and how to restore it.' },
        { name: 'trash', description: 'Graphs that were deleted.' },
        { name: 'account', description: 'Logging in, and the own account.' },
        { name: 'tokens', description: 'Tokens of programs, which stand in place of a password.' },
        { name: 'users', description: 'Everybody’s accounts, for administrators.' },
        { name: 'groups', description: 'Groups of users, to whom graphs can be granted.' },
        { name: 'sharing', description: 'The people and groups that may use a graph.' },
        { name: 'views', description: 'The saved views of a graph.' },
        { name: 'links', description: 'Links that show a graph to people without an account.' },
        { name: 'audits', description: 'The audit trail, for administrators and auditors.' },
        { name: 'health', description: 'Health and metrics, for monitoring.' }
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The `id_token` that `POST /api/authenticate` gives; or a token of a program (`gst_…`), which needs the scope that the operation names. Operations that name none, but for `getAccount`, refuse tokens of programs. Those below `/api/links/` take the `token` that `POST /api/links/{publicId}/open` gives, and no other.'
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION,
            description:
              'The cookie that `POST /api/session` sets, for browsers. Under TLS it is called `__Host-graphstead_session`. Sent twice it is refused. Requests that change something have to come from a page of this server.'
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

/** Translates extensions of Ajv into OpenAPI, and moves the parts that all operations share into components. */
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
      // A merge patch has a media type of its own, and is JSON as well.
      const content = operation.requestBody?.content ?? {}
      const json = content['application/json']
      if (json?.schema.$ref === '#/components/schemas/GraphPatch') content['application/merge-patch+json'] = json
    }
  }
  document.components.responses = shared
  document.components.headers = {
    RequestId: {
      description: 'Names this request in logs and audit events.',
      schema: { type: 'string', format: 'uuid' }
    }
  }
  return document as unknown as Document
}

/**
 * Returns a copy with the schemas to be shown, in which `digits` are integers, and so are the examples of such parameters. Properties of
 * which nothing is to be shown are left out.
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
  // JSON numbers are not exact up to the largest int64, so the format stands for it.
  const maximum = digits.maximum <= MAX_INTEGER && { maximum: Number(digits.maximum) }
  return { ...copy, type: 'integer', format: 'int64', minimum: Number(digits.minimum), ...maximum }
}

function isUnshown(value: unknown) {
  return typeof value === 'object' && value !== null && 'shown' in value && value.shown === false
}
