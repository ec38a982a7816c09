import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileReading } from '../../graph/files/conversion.ts'
import { formats, mediaTypes } from '../../graph/formats/index.ts'
import type { Format } from '../../graph/formats/shared/format.ts'
import { takeTurn } from '../../graph/jobs/turns.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import type { StoredContent } from '../../schemas/graph-content.ts'
import type { ImportReport } from '../../schemas/graph-file.ts'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { contentIn } from '../../schemas/responses.ts'
import { readWholeBody } from '../http/bodies/whole-body.ts'
import { fileEncodingOf, fileOptionsOf } from '../http/negotiation.ts'
import { displayString } from '../http/structured-fields.ts'

// Request bodies that are graph files in any format.

/** Describes the supported compression and archive formats, for the OpenAPI document. */
export const packingText =
  'The file can be compressed with gzip or zstd, or be in a zip archive with one graph; this is detected from its first bytes. `Content-Encoding` can be `gzip` or `zstd`.'

/** Lists formats, for the OpenAPI document. */
export const listFormats = (some: readonly Format[]) =>
  some.map(({ name, title }) => `\`${name}\` (${title})`).join(', ')
export const formatList = listFormats(formats)

// Any file may be sent as bytes. Media types that contain "json" are omitted, since generated clients prefer them for any body.
const asBytes = ['application/octet-stream', ...mediaTypes.filter((type) => !type.includes('json'))]
/** The schema of a request body that is a file. */
export const fileBody = { content: contentIn(asBytes) } as unknown as undefined

/** Makes all routes of the context accept files of any media type as bodies. */
export function acceptFiles(context: FastifyInstance) {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    // Refuses unsupported encodings before the body is read.
    fileEncodingOf(request.headers['content-encoding'])
    return readWholeBody(request, payload)
  })
}

/**
 * Returns the options for reading the file of a request. Throws `format-unknown`, or `validation-failed` if there is no file or
 * its encoding is unknown.
 */
export function fileOptionsFor(request: FastifyRequest<{ Querystring: FileQuery }>) {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) throw invalid({ code: 'empty', detail: 'is empty' })
  const { format, encoding } = request.query
  const options = fileOptionsOf(request.headers['content-type'], format)
  return encoding === undefined ? options : { ...options, charset: charsetOf(encoding) }
}

/** Returns the name of the encoding with this label (WHATWG). Throws `validation-failed`. */
function charsetOf(label: string) {
  try {
    return new TextDecoder(label).encoding
  } catch {
    const detail = 'is not a label of the WHATWG Encoding Standard, such as utf-8 or windows-1251'
    throw invalid({ parameter: 'encoding', code: 'unknown-encoding', detail })
  }
}

/** The query parameters for reading a file. */
interface FileQuery {
  format?: string
  sourceColumn?: string
  targetColumn?: string
  idColumn?: string
  directed?: boolean
  encoding?: string
  oversize?: 'refuse' | 'drop'
  lenient?: boolean
}

/** Reads the file of a request. `formatOptions` come from `fileOptionsFor`. */
export async function readFile(
  worker: GraphWorker,
  request: FastifyRequest<{ Querystring: FileQuery }>,
  formatOptions: ReturnType<typeof fileOptionsFor>
): Promise<FileReading> {
  const { headers, query } = request
  const { sourceColumn, targetColumn, idColumn, directed, oversize, lenient } = query
  const encoding = fileEncodingOf(headers['content-encoding'])
  const options = { ...formatOptions, encoding, sourceColumn, targetColumn, idColumn, directed, oversize, lenient }
  // Small files are read in this thread. Even that can take a while, so it is done in a separate turn of the event loop.
  await takeTurn()
  return worker.readFile(request.body as unknown as Buffer, options)
}

/** Lists the losses in a header. For a table, another header specifies the columns used for edge endpoints and node ids. */
export function tellReading(reply: FastifyReply, { losses, table = { kind: 'matrix', columns: [] } }: ImportReport) {
  reply.tellLosses(losses)
  const { sourceColumn: source, targetColumn: target, idColumn: id } = table
  const members = Object.entries({ source, target, id }).flatMap(([name, column]) =>
    column === undefined ? [] : `${name}=${displayString(column)}`
  )
  if (members.length > 0) reply.header('graphstead-columns', members.join(', '))
}

/** Returns the content to store. Throws `validation-failed` with the faults of the file. */
export function requireValid({ report, stored }: FileReading): StoredContent {
  if (stored) return stored
  const { faults: errors, faultCount: errorCount } = report
  throw new ProblemError('validation-failed', { errors, errorCount })
}
