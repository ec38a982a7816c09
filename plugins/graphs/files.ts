import { requireGraph } from '../../db/graphs/access.ts'
import { loadConsistently } from '../../db/graphs/contents.ts'
import { findGraphWithContent, toRecord } from '../../db/graphs/graphs.ts'
import { writableFormats, writableMediaTypes } from '../../graph/formats/index.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { DEFAULT_LIMIT, FileDiff, FileDiffQuery } from '../../schemas/diff.ts'
import { GraphRecord } from '../../schemas/graph.ts'
import { ContentQuery, ExportQuery, ImportQuery, ImportResult } from '../../schemas/graph-file.ts'
import { IdParameter, ifMatch, ifNoneMatch } from '../../schemas/parameters.ts'
import {
  answer,
  bodyRefusals,
  columnsHeader,
  graphFile,
  locationHeader,
  lossHeader,
  readingHeaders,
  refusals
} from '../../schemas/responses.ts'
import { loadContent } from '../http/contents/load-content.ts'
import { etagOf } from '../http/etags.ts'
import { checkedByEtag } from '../http/headers.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'
import {
  acceptFiles,
  fileBody,
  fileOptionsFor,
  formatList,
  listFormats,
  packingText,
  readFile,
  requireValid,
  tellReading
} from './file-bodies.ts'
import { expectationOf } from './preconditions.ts'

/** Imports and exports graphs as files in all formats. The context authenticates the caller. */
const graphFiles: Plugin<{ bodyLimit: number; worker: GraphWorker }> = async (app, { bodyLimit, worker }) => {
  const { store } = app
  const tags = ['graphs']
  acceptFiles(app)

  app.get('/graphs/:id/content', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getGraphContent',
      summary: 'Fetch the content of a graph as a file',
      description: `Returns the content in the format given by \`format\`, or else the best match for \`Accept\`: ${listFormats(writableFormats)}. \`Graphstead-Loss\` counts what the format cannot store.`,
      headers: ifNoneMatch,
      params: IdParameter,
      querystring: ExportQuery,
      response: graphFile(writableMediaTypes)
    },
    handler: async (request, reply) => {
      const { actor, params, query } = request
      reply.header('cache-control', checkedByEtag).header('vary', 'Accept')
      const graph = requireGraph(await findGraphWithContent(store.read, actor, idOf(params.id)))
      return reply.sendGraphFile(graph, query.format)
    }
  })

  app.put('/graphs/:id/content', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'putGraphContent',
      summary: 'Replace the content of a graph with a file',
      description: `The format is taken from \`Content-Type\`, or else from \`format\`, or else detected from the content: ${formatList}. ${packingText} A file with faults changes nothing; the response gives the line of each fault. With \`dryRun\`, nothing is changed.`,
      headers: ifMatch,
      params: IdParameter,
      querystring: ContentQuery,
      body: fileBody,
      response: {
        200: answer(
          ImportResult,
          'The graph with its new content or, with `dryRun`, the report on the file.',
          readingHeaders
        ),
        ...refusals(...bodyRefusals, 403, 404, 412)
      }
    },
    handler: async (request, reply) => {
      const { actor, headers, params, query } = request
      const formatOptions = fileOptionsFor(request)
      // Checks the caller's rights before the file is read.
      const id = idOf(params.id)
      const expectation = expectationOf(headers['if-match'])
      await app.graphs.requireChangeable(store.read, actor, id, expectation)
      const reading = await readFile(worker, request, formatOptions)
      const content = query.dryRun ? undefined : requireValid(reading)
      tellReading(reply, reading.report)
      if (!content) return reply.send(reading.report)

      const change = { content, message: query.message }
      const graph = await request.write((trx, actor) => app.graphs.change(trx, actor, id, expectation, change))
      return reply.header('etag', etagOf(graph)).send(toRecord(graph, graph.access))
    }
  })

  app.post('/graphs/:id/diff', {
    bodyLimit,
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['history'],
      operationId: 'compareFile',
      summary: 'Compare the content of a graph with a file',
      description: `Shows what would change if the file replaced the content, without changing anything. The file is read as in putGraphContent. \`ETag\` identifies the compared state: send it as \`If-Match\` when you put the file. ${packingText}`,
      params: IdParameter,
      querystring: FileDiffQuery,
      body: fileBody,
      response: {
        200: answer(FileDiff, 'The report on the file and, if it has no faults, the differences.', readingHeaders),
        ...refusals(...bodyRefusals, 404)
      }
    },
    handler: async (request, reply) => {
      const { actor, params, query } = request
      const formatOptions = fileOptionsFor(request)
      const find = async () => requireGraph(await findGraphWithContent(store.read, actor, idOf(params.id)))
      await find()
      const { report, stored } = await readFile(worker, request, formatOptions)
      tellReading(reply, report)
      const { graph, before } = await loadConsistently(await find(), find, async (graph) => ({
        graph,
        before: stored ? await loadContent(store, graph.content) : null
      }))
      reply.header('etag', etagOf(graph))
      if (!stored) return reply.send({ report })

      const limit = Number(query.limit ?? DEFAULT_LIMIT)
      const diff = await worker.diff(before, stored, { limit })
      const parts = [Buffer.from(`{"report":${JSON.stringify(report)},"diff":`), diff, Buffer.from('}')]
      return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts) as never)
    }
  })

  app.post('/graphs/import', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'importGraph',
      summary: 'Create a graph from a file',
      description: `The format is taken from \`Content-Type\`, or else from \`format\`, or else detected from the content: ${formatList}. ${packingText} The name and type are taken from the query, or else from the file. A file with faults is refused; the response gives the line of each fault. With \`dryRun\`, nothing is stored.`,
      querystring: ImportQuery,
      body: fileBody,
      response: {
        200: answer(ImportResult, 'With `dryRun`: the report on the file.', {
          ...lossHeader,
          ...columnsHeader
        }),
        201: answer(GraphRecord, 'Created.', {
          ...locationHeader,
          ...readingHeaders
        }),
        ...refusals(...bodyRefusals)
      }
    },
    handler: async (request, reply) => {
      const { query } = request
      const reading = await readFile(worker, request, fileOptionsFor(request))
      const { report } = reading
      const content = query.dryRun ? undefined : requireValid(reading)
      tellReading(reply, report)
      if (!content) return reply.send(report)

      const { name = report.name ?? 'Imported graph', type = report.type ?? null } = query
      const { description = null, shared = false } = query
      const values = { name, type, description, shared }
      const creation = { values, content, message: query.message }
      const graph = await request.write((trx, actor) => app.graphs.create(trx, actor, creation))
      reply.code(201).header('location', `/api/graphs/${graph.id}`).header('etag', etagOf(graph))
      return reply.send(toRecord(graph, graph.access))
    }
  })
}

export default graphFiles
