import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { GraphChange, GraphValues } from '../../db/changes/rows.ts'
import { requireAccess, requireGraph } from '../../db/graphs/access.ts'
import { findGraph, findGraphWithContent, toRecord } from '../../db/graphs/graphs.ts'
import { storedTags } from '../../db/graphs/tags.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { Graph, GraphCreate, GraphPatch, GraphQuery, GraphUpdate } from '../../schemas/graph.ts'
import type { PreparedContent } from '../../schemas/graph-content.ts'
import { IdParameter, ifMatch, ifNoneMatch } from '../../schemas/parameters.ts'
import { faultAs } from '../../schemas/problem-catalogue.ts'
import {
  answer,
  bodyRefusals,
  emptyAnswer,
  encodingHeaders,
  etagHeader,
  locationHeader,
  refusals
} from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { createJsonParser, jsonTypes } from '../http/bodies/json-body.ts'
import { readWholeBody } from '../http/bodies/whole-body.ts'
import { etagOf, knownOf } from '../http/etags.ts'
import { checkedByEtag } from '../http/headers.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import { expectationOf } from './preconditions.ts'

/** Creates, replaces, changes, fetches and deletes individual graphs. The context authenticates the caller. */
const graphs: Plugin<{ bodyLimit: number; worker: GraphWorker }> = async (app, { bodyLimit, worker }) => {
  const { store } = app
  app.removeContentTypeParser(jsonTypes)
  const parse = createJsonParser((bytes) => worker.readBody(bytes))
  app.addContentTypeParser(jsonTypes, async (request: FastifyRequest, payload: IncomingMessage) =>
    parse(request, await readWholeBody(request, payload))
  )
  const tags = ['graphs']

  app.post('/graphs', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'createGraph',
      summary: 'Create a graph',
      description:
        'The caller becomes the owner. A graph with an id is refused with 400 `graph-id-exists`. A `key` that another graph of the caller already uses, including one in the trash, is refused with 409 `key-taken`.',
      body: ref(GraphCreate),
      response: {
        201: answer(Graph, 'Created.', { ...locationHeader, ...etagHeader }),
        ...refusals(...bodyRefusals, 409)
      }
    },
    preValidation: async ({ body }) => {
      const id = (body as { id?: unknown } | null | undefined)?.id
      if (id !== undefined && id !== null) {
        throw faultAs({ pointer: '#/id', code: 'graph-id-exists', detail: 'must be absent' })
      }
    },
    handler: async (request, reply) => {
      const { body } = request
      const content = storedOf(body.content) ?? undefined
      const values = { ...valuesOf(body), key: body.key ?? null }
      const creation = { values, content, message: body.message }
      const graph = await request.write((trx, actor) => app.graphs.create(trx, actor, creation))
      return reply.code(201).header('location', `/api/graphs/${graph.id}`).sendGraph(graph)
    }
  })

  app.put('/graphs', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'updateGraph',
      summary: 'Replace a graph',
      description:
        'The id in the body selects the graph. Absent fields are reset, except for content and the default view: if absent, they are kept, and null removes them. If `version` differs from the stored version, the response is 409 `version-conflict`.',
      headers: ifMatch,
      body: ref(GraphUpdate),
      response: { 200: answer(Graph, 'Replaced.', etagHeader), ...refusals(...bodyRefusals, 403, 404, 409, 412) }
    },
    handler: async (request, reply) => {
      const { body, headers } = request
      const { shared, defaultView } = body
      const values = { ...valuesOf(body), shared, ...(defaultView !== undefined && { defaultView }) }
      const replacement = { values, content: storedOf(body.content), message: body.message }
      const expectation = expectationOf(headers['if-match'], body.version)
      return reply.sendGraph(
        await request.write((trx, actor) => app.graphs.replace(trx, actor, body.id, expectation, replacement))
      )
    }
  })

  app.patch('/graphs/:id', {
    bodyLimit: 64 * 1024,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'patchGraph',
      summary: 'Change some fields of a graph',
      description:
        'Applies a JSON Merge Patch (RFC 7396) to name, key, type, description, tags, default view, shared and owner. Only the owner and administrators can share a graph, change its key, or transfer it by setting `owner`; the former owner then keeps only the access that `shared` and grants give. Use PUT to replace the content. If `version` differs from the stored version, the response is 409 `version-conflict`.',
      headers: ifMatch,
      params: IdParameter,
      body: ref(GraphPatch),
      response: { 200: answer(Graph, 'Changed.', etagHeader), ...refusals(...bodyRefusals, 403, 404, 409, 412) }
    },
    handler: async (request, reply) => {
      const { body, headers, params } = request
      const expectation = expectationOf(headers['if-match'], body.version)
      const change = { values: patchedValuesOf(body), message: body.message }
      const id = idOf(params.id)
      return reply.sendGraph(
        await request.write((trx, actor) => app.graphs.change(trx, actor, id, expectation, change))
      )
    }
  })

  app.get('/graphs/:id', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getGraph',
      summary: 'Fetch a graph',
      description:
        'Returns the graph with its content, or without it if `content=false`. Large content is compressed for clients that accept `zstd`.',
      headers: ifNoneMatch,
      params: IdParameter,
      querystring: GraphQuery,
      response: {
        200: answer(Graph, 'The graph.', { ...etagHeader, ...encodingHeaders }),
        304: emptyAnswer('The client already has this state.', etagHeader),
        ...refusals(400, 404)
      }
    },
    handler: async (request, reply) => {
      const { actor, headers, query } = request
      const id = idOf(request.params.id)
      // Clients may cache the response, but must revalidate it before each use.
      reply.header('cache-control', checkedByEtag)
      const isRecord = query.content === false
      if (isRecord || headers['if-none-match'] !== undefined) {
        const current = requireGraph(await findGraph(store.read, actor, id))
        const record = toRecord(current, requireAccess(actor, current))
        const known = knownOf(headers['if-none-match'], record, isRecord)
        if (known !== undefined) return reply.code(304).header('etag', known).send(undefined)
        if (isRecord) return reply.header('etag', etagOf(record, 'record')).send(record)
      }
      return reply.sendGraph(requireGraph(await findGraphWithContent(store.read, actor, id)))
    }
  })

  app.delete('/graphs/:id', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'deleteGraph',
      summary: 'Delete a graph',
      description:
        'Moves the graph and its history to the trash, from which it can be restored for a limited time. Also succeeds if the caller cannot see the graph.',
      headers: ifMatch,
      params: IdParameter,
      response: { 200: emptyAnswer('The graph is no longer available.'), ...refusals(400, 403, 412) }
    },
    handler: async (request, reply) => {
      const { headers, params } = request
      const expectation = expectationOf(headers['if-match'])
      await request.write((trx, actor) => app.graphs.delete(trx, actor, idOf(params.id), expectation))
      return reply.send()
    }
  })
}

export default graphs

type WritableFields = Pick<GraphCreate, 'name' | 'type' | 'description' | 'tags' | 'shared'>

function valuesOf({ name, type = null, description = null, tags, shared = false }: WritableFields): GraphValues {
  return { name, type, description, tags: storedTags(tags), shared }
}

/** Returns the fields that a patch sets. */
function patchedValuesOf({ name, key, type, description, tags, defaultView, shared, owner }: GraphPatch) {
  const stored = tags === undefined ? undefined : storedTags(tags)
  return Object.fromEntries(
    Object.entries({ name, key, type, description, tags: stored, defaultView, shared, owner }).filter(
      ([, value]) => value !== undefined
    )
  ) as NonNullable<GraphChange['values']>
}

/** Returns the content to store, null if the body removes the content, or undefined if the body does not mention it. */
function storedOf(content: PreparedContent | null | undefined) {
  return content ? content.stored : content
}
