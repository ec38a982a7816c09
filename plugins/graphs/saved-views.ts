import { Type } from '@sinclair/typebox'
import { listViews, saveView } from '../../db/graphs/saved-views.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { answer, bodyRefusals, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { NewViewName, SavedView, ViewName, ViewUpdate } from '../../schemas/saved-view.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** The maximum size of a body, in bytes. This is enough for the longest query and a style of 16 KiB. */
const LONGEST = 24 * 1024

/** Saved views of graphs. The context authenticates the caller. */
const savedViews: Plugin = async (app) => {
  const { store } = app
  const tags = ['views']
  const paramsWith = (name: typeof ViewName) => Type.Object({ ...IdParameter.properties, name })

  app.get('/graphs/:id/views', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listViews',
      summary: 'List the saved views of a graph',
      description:
        'Returns all saved views of the graph, sorted by name. Everyone who can read the graph can read its views.',
      params: IdParameter,
      response: { 200: answer(Type.Array(ref(SavedView)), 'All saved views.'), ...refusals(400, 404) }
    },
    handler: async ({ actor, params }) => listViews(store.read, actor, idOf(params.id))
  })

  app.put('/graphs/:id/views/:name', {
    bodyLimit: LONGEST,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'saveView',
      summary: 'Save a view of a graph',
      description:
        'Creates the view, or replaces the view with this name. Does not create a version of the graph. If the graph already has 100 views, the response is 409 `too-many-views`.',
      params: paramsWith(NewViewName),
      body: ref(ViewUpdate),
      response: { 204: emptyAnswer('Saved.'), ...refusals(...bodyRefusals, 403, 404, 409) }
    },
    handler: async (request, reply) => {
      const { body, params } = request
      const view = { name: params.name, query: body.query, style: body.style }
      await request.write((trx, actor) => saveView(trx, actor, idOf(params.id), view))
      return reply.code(204).send()
    }
  })

  app.delete('/graphs/:id/views/:name', {
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'removeView',
      summary: 'Delete a saved view of a graph',
      description:
        'Also succeeds if the view does not exist. If it is the default view, the graph has none afterwards.',
      params: paramsWith(ViewName),
      response: { 204: emptyAnswer('The view no longer exists.'), ...refusals(400, 403, 404) }
    },
    handler: async (request, reply) => {
      const { params } = request
      await request.write((trx, actor) => app.graphs.removeView(trx, actor, idOf(params.id), params.name))
      return reply.code(204).send()
    }
  })
}

export default savedViews
