import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { requireGraph } from '../../db/graphs/access.ts'
import { loadConsistently } from '../../db/graphs/contents.ts'
import { findGraphWithContent, toRecord } from '../../db/graphs/graphs.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { ContentPatch } from '../../schemas/content-patch.ts'
import { GraphRecord } from '../../schemas/graph.ts'
import { IdParameter, ifMatch } from '../../schemas/parameters.ts'
import { invalid } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, etagHeader, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { createJsonParser } from '../http/bodies/json-body.ts'
import { readWholeBody } from '../http/bodies/whole-body.ts'
import { loadContent } from '../http/contents/load-content.ts'
import { etagOf, isExpected } from '../http/etags.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import { expectationOf } from './preconditions.ts'

/** Changes individual nodes and edges of graphs. The context authenticates the caller. */
const contentPatches: Plugin<{ bodyLimit: number; worker: GraphWorker }> = async (app, { bodyLimit, worker }) => {
  const { store } = app
  app.removeAllContentTypeParsers()
  const keep = createJsonParser((bytes) => bytes)
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) =>
    keep(request, await readWholeBody(request, payload))
  )

  app.patch('/graphs/:id/content', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'patchGraphContent',
      summary: 'Change nodes and edges of a graph',
      description:
        'Adds, replaces and removes whole nodes and edges, and can change the direction of all edges. Either all changes are applied or none. The request must specify the version it is based on, in `version` or `If-Match`; otherwise the response is 428 `precondition-required`. If the graph has changed since, the response is 409 `version-conflict` or 412. Removing an unknown node or edge fails with 400 `element-not-found`; if several edges match, the response is 400 `edge-ambiguous`.',
      headers: ifMatch,
      params: IdParameter,
      // The worker validates the patch together with the content it changes.
      body: Type.Unsafe<Buffer | undefined>({ shown: ref(ContentPatch) }),
      response: {
        200: answer(GraphRecord, 'Changed.', etagHeader),
        ...refusals(...bodyRefusals, 403, 404, 409, 412, 428)
      }
    },
    handler: async (request, reply) => {
      const { actor, body, headers, params } = request
      if (!body) throw invalid({ code: 'empty', detail: 'is empty' })
      const id = idOf(params.id)
      const ifMatch = headers['if-match']
      await app.graphs.requireChangeable(store.read, actor, id, () => {})
      const find = async () => requireGraph(await findGraphWithContent(store.read, actor, id))
      const { version, patched } = await loadConsistently(await find(), find, async (graph) => {
        const { version, content } = graph
        const state = { version, isNamed: ifMatch === undefined ? undefined : isExpected(ifMatch, graph) }
        return { version, patched: await worker.patch(body, await loadContent(store, content), state) }
      })

      const change = { content: patched.stored, message: patched.message }
      // The transaction fails if the graph is no longer in the state that was patched.
      const isSame = expectationOf(ifMatch, version)
      const graph = await request.write((trx, actor) => app.graphs.change(trx, actor, id, isSame, change))
      return reply.header('etag', etagOf(graph)).send(toRecord(graph, graph.access))
    }
  })
}

export default contentPatches
