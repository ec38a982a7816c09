import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireGraph } from '../db/access.ts'
import { loadConsistently } from '../db/contents.ts'
import { findGraphWithContent, toRecord } from '../db/graphs.ts'
import type { FileReading } from '../graph/files.ts'
import type { Format } from '../graph/formats/format.ts'
import { formats, mediaTypes, writableFormats, writableMediaTypes } from '../graph/formats/index.ts'
import type { GraphWorker } from '../graph/worker.ts'
import { DEFAULT_LIMIT, FileDiff, FileDiffQuery } from '../schemas/diff.ts'
import { invalid, ProblemError } from '../schemas/errors.ts'
import { GraphRecord } from '../schemas/graph.ts'
import type { StoredContent } from '../schemas/graph-content.ts'
import { ContentQuery, ExportQuery, ImportQuery, type ImportReport, ImportResult } from '../schemas/graph-file.ts'
import { IdParameter, ifMatch, ifNoneMatch } from '../schemas/parameters.ts'
import {
  answer,
  bodyRefusals,
  columnsHeader,
  contentIn,
  etagHeader,
  graphFile,
  isJson,
  locationHeader,
  lossHeader,
  refusals
} from '../schemas/responses.ts'
import { abortSignalOf } from './http/abort-signals.ts'
import { etagOf } from './http/etags.ts'
import { checkedByEtag } from './http/headers.ts'
import { loadContent } from './http/load-content.ts'
import { fileEncodingOf, fileOptionsOf } from './http/negotiation.ts'
import type { Plugin } from './http/plugin.ts'
import { expectationOf } from './http/preconditions.ts'
import { displayString } from './http/structured-fields.ts'
import { idOf } from './http/urls.ts'
import { readWholeBody } from './http/whole-body.ts'

const packingText =
  'The file may be packed by gzip or zstd, or be the one graph in a zip archive: its first bytes tell. `Content-Encoding` may be `gzip` or `zstd`.'
const listFormats = (some: readonly Format[]) => some.map(({ name, title }) => `\`${name}\` (${title})`).join(', ')
const formatList = listFormats(formats)

/** Reads and writes graphs as files in all formats. Its context verifies the token. */
const graphFiles: Plugin<{ bodyLimit: number; worker: GraphWorker }> = async (app, { bodyLimit, worker }) => {
  const { store } = app
  const tags = ['graphs']
  // Any file may be sent as bytes. Media types of JSON would turn the type of generated clients into that of any value.
  const asBytes = ['application/octet-stream', ...mediaTypes.filter((type) => !isJson(type))]
  const body = { content: contentIn(asBytes) } as unknown as undefined

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    // An encoding that the reader does not know is refused before the body is read.
    fileEncodingOf(request.headers['content-encoding'])
    return readWholeBody(request, payload)
  })

  app.get(
    '/graphs/:id/content',
    {
      schema: {
        tags,
        operationId: 'getGraphContent',
        summary: 'Fetch the content of a graph as a file',
        description: `In the format that \`format\` names, or the best that \`Accept\` allows: ${listFormats(writableFormats)}. \`Graphstead-Loss\` counts what the format cannot hold.`,
        headers: ifNoneMatch,
        params: IdParameter,
        querystring: ExportQuery,
        response: graphFile(writableMediaTypes)
      }
    },
    async (request, reply) => {
      const { actor, params, query } = request
      reply.header('cache-control', checkedByEtag).header('vary', 'Accept')
      const graph = requireGraph(await findGraphWithContent(store.read, actor, idOf(params.id)))
      return reply.sendGraphFile(graph, query.format)
    }
  )

  app.put(
    '/graphs/:id/content',
    {
      bodyLimit,
      schema: {
        tags,
        operationId: 'putGraphContent',
        summary: 'Replace the content of a graph by a file',
        description: `\`Content-Type\` gives the format, else \`format\`, else the content of the file: ${formatList}. ${packingText} A file with faults changes nothing; each fault has its line. With \`dryRun\` nothing is changed in any case.`,
        headers: ifMatch,
        params: IdParameter,
        querystring: ContentQuery,
        body,
        response: {
          200: answer(ImportResult, 'Replaced; or, with `dryRun`, the report on the file.', {
            ...etagHeader,
            ...lossHeader,
            ...columnsHeader
          }),
          ...refusals(...bodyRefusals, 403, 404, 412)
        }
      }
    },
    async (request, reply) => {
      const { actor, headers, params, query } = request
      requireBody(request)
      const formatOptions = fileOptionsOf(headers['content-type'], query.format)
      // A caller without the right is refused before the server reads the file.
      const id = idOf(params.id)
      const expectation = expectationOf(headers['if-match'])
      await app.graphs.requireChangeable(store.read, actor, id, expectation)
      const reading = await read(request, reply, formatOptions)
      const content = query.dryRun ? undefined : requireValid(reading)
      reply.tellLosses(reading.report.losses)
      tellColumns(reply, reading.report)
      if (!content) return reply.send(reading.report)

      const change = { content, message: query.message }
      const graph = await request.write((trx, actor) => app.graphs.change(trx, actor, id, expectation, change))
      return reply.header('etag', etagOf(graph)).send(toRecord(graph, graph.access))
    }
  )

  app.post(
    '/graphs/:id/diff',
    {
      bodyLimit,
      schema: {
        tags: ['history'],
        operationId: 'compareFile',
        summary: 'Compare the content of a graph with a file',
        description: `What would change if the file replaced the content; nothing is changed. The file is read as by putGraphContent. \`ETag\` is that of the compared state, for \`If-Match\` when the file is put. ${packingText}`,
        params: IdParameter,
        querystring: FileDiffQuery,
        body,
        response: {
          200: answer(FileDiff, 'The report on the file; and, unless it has faults, the difference.', {
            ...etagHeader,
            ...lossHeader,
            ...columnsHeader
          }),
          ...refusals(...bodyRefusals, 404)
        }
      }
    },
    async (request, reply) => {
      const { actor, headers, params, query } = request
      requireBody(request)
      const formatOptions = fileOptionsOf(headers['content-type'], query.format)
      const find = async () => requireGraph(await findGraphWithContent(store.read, actor, idOf(params.id)))
      await find()
      const { report, stored } = await read(request, reply, formatOptions)
      reply.tellLosses(report.losses)
      tellColumns(reply, report)
      const { graph, before } = await loadConsistently(await find(), find, async (graph) => ({
        graph,
        before: stored ? await loadContent(request, store, graph.content) : null
      }))
      reply.header('etag', etagOf(graph))
      if (!stored) return reply.send({ report })

      const caller = { user: actor.subject, signal: abortSignalOf(reply.raw) }
      const limit = Number(query.limit ?? DEFAULT_LIMIT)
      const diff = await worker.diff(before, stored, { limit }, caller)
      const parts = [Buffer.from(`{"report":${JSON.stringify(report)},"diff":`), diff, Buffer.from('}')]
      return reply.type('application/json; charset=utf-8').send(Buffer.concat(parts) as never)
    }
  )

  app.post(
    '/graphs/import',
    {
      bodyLimit,
      schema: {
        tags,
        operationId: 'importGraph',
        summary: 'Create a graph from a file',
        description: `\`Content-Type\` gives the format, else \`format\`, else the content of the file: ${formatList}. ${packingText} Name and type come from the query, else from the file. A file with faults is refused; each fault has its line. With \`dryRun\` nothing is stored in any case.`,
        querystring: ImportQuery,
        body,
        response: {
          200: answer(ImportResult, 'With `dryRun`: the report on the file.', {
            ...lossHeader,
            ...columnsHeader
          }),
          201: answer(GraphRecord, 'Created.', {
            ...locationHeader,
            ...etagHeader,
            ...lossHeader,
            ...columnsHeader
          }),
          ...refusals(...bodyRefusals)
        }
      }
    },
    async (request, reply) => {
      const { query } = request
      requireBody(request)
      const reading = await read(request, reply)
      const { report } = reading
      const content = query.dryRun ? undefined : requireValid(reading)
      reply.tellLosses(report.losses)
      tellColumns(reply, report)
      if (!content) return reply.send(report)

      const { name = report.name ?? 'Imported graph', type = report.type ?? null } = query
      const { description = null, shared = false } = query
      const values = { name, type, description, shared }
      const creation = { values, content, message: query.message }
      const graph = await request.write((trx, actor) => app.graphs.create(trx, actor, creation))
      reply.code(201).header('location', `/api/graphs/${graph.id}`).header('etag', etagOf(graph))
      return reply.send(toRecord(graph, graph.access))
    }
  )

  async function read(
    request: FastifyRequest<{ Querystring: FileQuery }>,
    reply: FastifyReply,
    formatOptions = fileOptionsOf(request.headers['content-type'], request.query.format)
  ) {
    const { headers, query } = request
    const { sourceColumn, targetColumn, idColumn, oversize } = query
    const encoding = fileEncodingOf(headers['content-encoding'])
    const options = {
      ...formatOptions,
      encoding,
      sourceColumn,
      targetColumn,
      idColumn,
      oversize
    }
    const caller = { user: request.actor.subject, signal: abortSignalOf(reply.raw) }
    return worker.readFile(request.body as unknown as Buffer, options, caller)
  }
}

export default graphFiles

interface FileQuery {
  format?: string
  sourceColumn?: string
  targetColumn?: string
  idColumn?: string
  oversize?: 'refuse' | 'drop'
}

/** Says which columns of a table became the ends of edges and the ids of nodes. */
function tellColumns(reply: FastifyReply, { table = { kind: 'matrix', columns: [] } }: ImportReport) {
  const { sourceColumn: source, targetColumn: target, idColumn: id } = table
  const members = Object.entries({ source, target, id }).flatMap(([name, column]) =>
    column === undefined ? [] : `${name}=${displayString(column)}`
  )
  if (members.length > 0) reply.header('graphstead-columns', members.join(', '))
}

function requireBody({ body }: FastifyRequest) {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalid({ code: 'empty', detail: 'is empty' })
}

/** Returns the content for the store. Throws the faults of the file. */
function requireValid({ report, stored }: FileReading): StoredContent {
  if (stored) return stored
  const { faults: errors, faultCount: errorCount } = report
  throw new ProblemError('validation-failed', { errors, errorCount })
}
