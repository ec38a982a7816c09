import { Type } from '@sinclair/typebox'
import { accountOf } from '../../db/actors.ts'
import { requireAccess, requireGraph } from '../../db/graphs/access.ts'
import { findGraph, toRecord } from '../../db/graphs/graphs.ts'
import { findByKey } from '../../db/graphs/keys.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { GraphRecord, Key } from '../../schemas/graph.ts'
import { ImportQuery, ImportResult } from '../../schemas/graph-file.ts'
import { ifMatch } from '../../schemas/parameters.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, etagHeader, locationHeader, readingHeaders, refusals } from '../../schemas/responses.ts'
import { etagOf } from '../http/etags.ts'
import type { Plugin } from '../http/plugin.ts'
import {
  acceptFiles,
  fileBody,
  fileOptionsFor,
  formatList,
  packingText,
  readFile,
  requireValid,
  tellReading
} from './file-bodies.ts'
import { expectationOf } from './preconditions.ts'

const tags = ['graphs']
const params = Type.Object({ key: Key })

/** The caller's own graphs by key, for programs that push the same graph repeatedly. The context authenticates the caller. */
const keyedGraphs: Plugin<{ bodyLimit: number; worker: GraphWorker }> = async (app, { bodyLimit, worker }) => {
  const { store } = app
  acceptFiles(app)

  app.get('/account/graphs/:key', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'getMyGraphByKey',
      summary: 'Find my graph by key',
      description: 'Returns the record without its content. Other operations use the id of the graph.',
      params,
      response: { 200: answer(GraphRecord, 'The graph.', etagHeader), ...refusals(400, 404) }
    },
    handler: async ({ actor, params }, reply) => {
      const found = await findByKey(store.read, accountOf(actor), params.key)
      const graph = requireGraph(found && (await findGraph(store.read, actor, found.id)))
      const access = requireAccess(actor, graph)
      return reply.header('etag', etagOf({ ...graph, access })).send(toRecord(graph, access))
    }
  })

  app.put('/account/graphs/:key/content', {
    bodyLimit,
    config: { scope: 'write:graphs' },
    schema: {
      tags,
      operationId: 'putMyGraphContent',
      summary: 'Push a file to my graph by key',
      description: `Replaces the content of the caller's graph with this key, or creates the graph. Pushing identical content does not create a version. Name, type, description and \`shared\` apply to a new graph only. A new graph without a name gets the name in the file, or else the key. The format is taken from \`Content-Type\`, or else from \`format\`, or else detected from the content: ${formatList}. ${packingText} A file with faults changes nothing; the response gives the line of each fault. With \`dryRun\`, nothing is changed.`,
      headers: ifMatch,
      params,
      querystring: ImportQuery,
      body: fileBody,
      response: {
        200: answer(
          ImportResult,
          'The graph with its new content or, with `dryRun`, the report on the file.',
          readingHeaders
        ),
        201: answer(GraphRecord, 'Created.', { ...locationHeader, ...readingHeaders }),
        ...refusals(...bodyRefusals, 403, 409, 412)
      }
    },
    handler: async (request, reply) => {
      const { actor, headers, params, query } = request
      const formatOptions = fileOptionsFor(request)
      // Checks whether the push is allowed before reading the file.
      const expectation = expectationOf(headers['if-match'])
      const found = await findByKey(store.read, accountOf(actor), params.key)
      if (found?.isTrashed) throw new ProblemError('graph-in-trash')
      if (found) await app.graphs.requireChangeable(store.read, actor, found.id, expectation)
      else expectation(undefined)
      const reading = await readFile(worker, request, formatOptions)
      const { report } = reading
      const content = query.dryRun ? undefined : requireValid(reading)
      tellReading(reply, report)
      if (!content) return reply.send(report)

      const { name = report.name ?? params.key, type = report.type ?? null, description = null, shared = false } = query
      const creation = { values: { name, type, description, shared }, content, message: query.message }
      const { graph, isNew } = await request.write((trx, actor) =>
        app.graphs.push(trx, actor, params.key, expectation, creation)
      )
      if (isNew) reply.code(201).header('location', `/api/graphs/${graph.id}`)
      return reply.header('etag', etagOf(graph)).send(toRecord(graph, graph.access))
    }
  })
}

export default keyedGraphs
