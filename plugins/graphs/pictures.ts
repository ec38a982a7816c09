import { requireGraph } from '../../db/graphs/access.ts'
import { findGraphWithContent } from '../../db/graphs/graphs.ts'
import { findDefaultView, requireView } from '../../db/graphs/saved-views.ts'
import { IdParameter, ifNoneMatch } from '../../schemas/parameters.ts'
import { PictureInViewQuery, pictureOptionsOf } from '../../schemas/picture.ts'
import { picture } from '../../schemas/responses.ts'
import type { Pictures } from '../http/contents/pictures.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Returns pictures of graphs. The context authenticates the caller. */
const pictures: Plugin<{ pictures: Pictures }> = async (app, { pictures }) => {
  for (const form of ['svg', 'png'] as const) {
    app.get(`/graphs/:id/picture.${form}`, {
      config: { scope: 'read:graphs' },
      schema: {
        tags: ['graphs'],
        operationId: form === 'svg' ? 'getPictureAsSvg' : 'getPictureAsPng',
        summary: `Fetch a picture of a graph as ${form.toUpperCase()}`,
        description:
          'Draws the graph in a saved view, with its legend: its colours, sizes, labels and filters. Without `view`, draws the default view, or else the graph as the web app first shows it. Nodes without positions get the same layout each time. The layout of more than 2,000 nodes or 10,000 edges is computed in the background; until then, the picture shows the density of nodes and is not cached (`Cache-Control: no-store`). Above 10,000 nodes or 20,000 edges, it always shows the density.',
        headers: ifNoneMatch,
        params: IdParameter,
        querystring: PictureInViewQuery,
        response: picture(form)
      },
      handler: async (request, reply) => {
        const find = async () => {
          const graph = requireGraph(await findGraphWithContent(app.store.read, request.actor, idOf(request.params.id)))
          const { view: name } = request.query
          const { read } = app.store
          const view = await (name === undefined ? findDefaultView(read, graph) : requireView(read, graph.id, name))
          return { ...graph, view }
        }
        return pictures.send(reply, form, pictureOptionsOf(request.query), await find(), find)
      }
    })
  }
}

export default pictures
