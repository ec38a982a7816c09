import type { FastifyReply } from 'fastify'
import { writableMediaTypes } from '../../graph/formats/index.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import type { Question } from '../../graph/query/subgraph.ts'
import {
  DEFAULT_DEPTH,
  DEFAULT_NODES,
  GraphSummary,
  SubgraphFormat,
  SubgraphQuery,
  SubgraphQuestion
} from '../../schemas/graph-part.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { faultAs, ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, contentOrFile, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { GraphParts } from '../http/contents/graph-parts.ts'
import { acceptedPart, attachment, contentTypeOf } from '../http/negotiation.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** Returns parts and summaries of graphs. The context authenticates the caller. */
const graphParts: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store } = app
  const parts = new GraphParts(store, worker)
  const tags = ['graphs']
  const description =
    'Returns the nodes within `depth` steps of the given nodes, found breadth-first, and all edges between them, in the order of the content. The format is GraphContent, or the file format given by `format` or `Accept`. An unknown node fails with 404 `node-not-found`.'

  app.get('/graphs/:id/subgraph', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getSubgraph',
      summary: 'Fetch the neighbourhood of a node',
      description,
      params: IdParameter,
      querystring: SubgraphQuery,
      response: { 200: contentOrFile(writableMediaTypes, 'The part of the graph.'), ...refusals(400, 404, 406) }
    },
    handler: async (request, reply) => {
      const { params, query } = request
      const { node, depth = DEFAULT_DEPTH, direction = 'both', limit = DEFAULT_NODES, format } = query
      const question = { nodes: [node], depth: Number(depth), direction, limit: Number(limit) }
      return sendPart(reply, idOf(params.id), question, format).catch((error: unknown) => {
        if (!(error instanceof ProblemError) || error.code !== 'node-not-found') throw error
        throw faultAs({ parameter: 'node', code: 'node-not-found', detail: 'is not the id of a node' })
      })
    }
  })

  app.post('/graphs/:id/subgraph', {
    bodyLimit: 1024 * 1024,
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'postSubgraph',
      summary: 'Fetch the neighbourhood of several nodes',
      description: `${description} This does not change the graph.`,
      params: IdParameter,
      querystring: SubgraphFormat,
      body: ref(SubgraphQuestion),
      response: {
        200: contentOrFile(writableMediaTypes, 'The part of the graph.'),
        ...refusals(...bodyRefusals, 404, 406)
      }
    },
    handler: async (request, reply) => {
      const { body, params, query } = request
      const { nodes, depth = DEFAULT_DEPTH, direction = 'both', limit = DEFAULT_NODES } = body
      return sendPart(reply, idOf(params.id), { nodes, depth, direction, limit }, query.format)
    }
  })

  app.get('/graphs/:id/summary', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getSummary',
      summary: 'Fetch the summary of a graph',
      description: 'Returns the number of nodes and edges, connected components, degrees and attributes.',
      params: IdParameter,
      response: { 200: answer(GraphSummary, 'The summary.'), ...refusals(400, 404) }
    },
    handler: async ({ actor, params }) => parts.summary(actor, idOf(params.id))
  })

  async function sendPart(reply: FastifyReply, id: number, question: Question, formatName: string | undefined) {
    const format = acceptedPart(reply.request.headers.accept, formatName)
    reply.header('vary', 'Accept')
    const { bytes, losses, left } = await parts.subgraph(reply.request.actor, id, question, format?.name)
    if (left.nodes > 0) reply.header('graphstead-truncated', `nodes=${left.nodes}, edges=${left.edges}`)
    reply.tellLosses(losses)
    if (format) reply.header('content-disposition', attachment(`subgraph of ${id}`, format))
    reply.type(format ? contentTypeOf(format) : 'application/json; charset=utf-8')
    return reply.send(bytes as never)
  }
}

export default graphParts
