import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { DEFAULT_LIMIT, DiffQuery, GraphDiff } from '../../schemas/diff.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { alsoAsText, refusals } from '../../schemas/responses.ts'
import { compareVersions } from '../http/contents/compare-versions.ts'
import { checkedByEtag } from '../http/headers.ts'
import { acceptedDiff } from '../http/negotiation.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Compares two versions of a graph. The context authenticates the caller. */
const diff: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app

  app.get('/graphs/:id/diff', {
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['history'],
      operationId: 'diffVersions',
      summary: 'Compare two versions of a graph',
      description:
        'Returns the changed fields, nodes and edges, attribute by attribute. `Accept` selects JSON or readable text. Nodes are matched by id; edges by id, or else by their endpoints and relation. Version 1 is compared with an empty graph.',
      params: IdParameter,
      querystring: DiffQuery,
      response: {
        200: alsoAsText(GraphDiff, 'The differences.'),
        ...refusals(400, 404, 406)
      }
    },
    handler: async (request, reply) => {
      const { actor, headers, params, query } = request
      reply.header('cache-control', checkedByEtag).header('vary', 'Accept')
      const as = acceptedDiff(headers.accept)
      const { bytes } = await compareVersions(actor, store, worker, idOf(params.id), {
        from: query.from === undefined ? undefined : idOf(query.from),
        to: query.to === undefined ? undefined : idOf(query.to),
        as,
        limit: Number(query.limit ?? DEFAULT_LIMIT)
      })
      reply.type(as === 'json' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
      return reply.send(bytes as never)
    }
  })
}

export default diff
