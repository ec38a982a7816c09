import { requireGraph } from '../../db/graphs/access.ts'
import { findGraphWithContent } from '../../db/graphs/graphs.ts'
import { IdParameter, ifNoneMatch } from '../../schemas/parameters.ts'
import { PictureQuery, pictureOptionsOf } from '../../schemas/picture.ts'
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
          'Draws the graph as the web app first shows it, with its legend. Nodes without positions get the same layout each time. Above 2,000 nodes or 10,000 edges, the picture shows the density of nodes.',
        headers: ifNoneMatch,
        params: IdParameter,
        querystring: PictureQuery,
        response: picture(form)
      },
      handler: async (request, reply) => {
        const find = async () =>
          requireGraph(await findGraphWithContent(app.store.read, request.actor, idOf(request.params.id)))
        return pictures.send(reply, form, pictureOptionsOf(request.query), await find(), find)
      }
    })
  }
}

export default pictures
