import { requireGraph } from '../../db/graphs/access.ts'
import { findGraphWithContent } from '../../db/graphs/graphs.ts'
import { LayoutQuery } from '../../schemas/layout.ts'
import { IdParameter, ifNoneMatch } from '../../schemas/parameters.ts'
import { layout, refusals } from '../../schemas/responses.ts'
import type { Layouts } from '../http/contents/layouts.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Returns the positions of graphs' nodes. The context authenticates the caller. */
const layouts: Plugin<{ layouts: Layouts }> = async (app, { layouts }) => {
  app.get('/graphs/:id/layout', {
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'getLayout',
      summary: 'Fetch the positions of the nodes',
      description:
        'Returns the positions that the content has, if it has one for every node. Otherwise returns the layout that is computed once for this content and used by the web app, links and pictures. It is deterministic, and nodes that have positions keep them. With `algorithm`, always returns a computed layout. A graph that is too large for an algorithm fails with 503 `graph-too-complex`.',
      headers: ifNoneMatch,
      params: IdParameter,
      querystring: LayoutQuery,
      response: { ...layout, ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const find = async () =>
        requireGraph(await findGraphWithContent(app.store.read, request.actor, idOf(request.params.id)))
      return layouts.send(reply, request.query.algorithm, await find(), find)
    }
  })
}

export default layouts
