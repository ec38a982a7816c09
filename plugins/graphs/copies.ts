import { requireGraph } from '../../db/graphs/access.ts'
import { findGraph } from '../../db/graphs/graphs.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { GraphCopy, GraphRecord } from '../../schemas/graph.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { answer, bodyRefusals, etagHeader, locationHeader, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { etagOf } from '../http/etags.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import { findWords } from './large-words.ts'

/** Copies graphs for callers who may read them. The context authenticates the caller. */
const copies: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.post('/graphs/:id/copy', {
    config: { scope: 'write:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'copyGraph',
      summary: 'Copy a graph',
      description:
        'Creates a private graph with the content, type, description and tags of a graph that the caller may read. The caller becomes its owner. The key, history, grants, links and views are not copied. Returns the copy without its content.',
      params: IdParameter,
      body: ref(GraphCopy),
      response: {
        201: answer(GraphRecord, 'Created.', { ...locationHeader, ...etagHeader }),
        ...refusals(...bodyRefusals, 404)
      }
    },
    handler: async (request, reply) => {
      const { actor, body, params } = request
      const id = idOf(params.id)
      const { version = requireGraph(await findGraph(store.read, actor, id)).version } = body
      const copying = { ...body, words: await findWords({ store, worker }, actor, id, version) }
      const graph = await request.write((trx, actor) => app.graphs.copy(trx, actor, id, copying))
      reply.code(201).header('location', `/api/graphs/${graph.id}`).header('etag', etagOf(graph))
      return reply.send(graph)
    }
  })
}

export default copies
