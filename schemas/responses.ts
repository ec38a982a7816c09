import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { GraphContent } from './graph-content.ts'
import { GraphLayout } from './layout.ts'
import { type PictureForm, pictureTypes } from './picture.ts'
import { Problem } from './problem.ts'
import { ref } from './types.ts'

type Headers = Record<string, TSchema>

const descriptions: Record<number, string> = {
  400: 'The request is not valid. `errors` lists the faults.',
  401: 'The request has no valid token.',
  403: 'The caller is not allowed to do this, or must first change their password (`password-change-required`) or set up two-factor authentication (`second-factor-setup-required`).',
  404: 'The resource does not exist, or the caller cannot see it.',
  406: 'The graph is not available in an accepted format.',
  409: 'The request conflicts with the current state.',
  412: 'The graph does not match `If-Match`. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The body is neither JSON nor a file in a supported format.',
  429: 'Too many attempts or requests.',
  431: 'The headers or the address are too long.',
  500: 'An error occurred on the server.',
  503: 'The server cannot process the request at the moment. Nothing was changed, unless `code` is `outcome-unknown`.',
  507: 'There is not enough space. Nothing was changed.'
}

const retryAfter = Type.Integer({ minimum: 1, description: 'Number of seconds to wait before trying again.' })
const headersOf: Record<number, Headers> = {
  401: { 'WWW-Authenticate': Type.String({ description: 'How to authenticate (RFC 6750).', examples: ['Bearer'] }) },
  429: { 'Retry-After': retryAfter },
  503: { 'Retry-After': retryAfter }
}

/** The error responses by status, which all operations share. */
const known: Record<number, TSchema> = {}

/** Returns the error responses of an operation: these statuses, plus the ones that every operation may return. */
export function refusals(...statuses: number[]): Record<number, TSchema> {
  return Object.fromEntries(
    [...statuses, 431, 500, 503].map((status) => {
      known[status] ??= {
        description: descriptions[status],
        ...(headersOf[status] && { headers: headersOf[status] }),
        content: { 'application/problem+json': { schema: ref(Problem) } }
      } as unknown as TSchema
      return [status, known[status]]
    })
  )
}

/** The statuses of a response that rejects a body. */
export const bodyRefusals = [400, 413, 415] as const

/** Describes a successful response with a body. */
export function answer<T extends TSchema>(schema: T, description: string, headers?: Headers) {
  const described = schema.$id ? { ...ref(schema), description } : { ...schema, 'x-response-description': description }
  return Type.Unsafe<Static<T>>({ ...described, ...(headers && { headers }) })
}

/** Describes a response that redirects the browser to another address. */
export function goesOn(description: string) {
  const location = Type.String({ format: 'uri-reference', description: 'The address.', examples: ['/graphs/7'] })
  return emptyAnswer(description, { Location: location, ...cookieHeader })
}

/** Describes a successful response without a body. */
export function emptyAnswer(description: string, headers?: Headers) {
  return Type.Unsafe<undefined>({ type: 'null', 'x-response-description': description, ...(headers && { headers }) })
}

export const etagHeader = {
  ETag: Type.String({
    description: 'Identifies this state of the graph (RFC 9110).',
    examples: ['"7-1-2026-11-21T09:30:00.000Z"']
  })
}

/** Response headers for large content. */
export const encodingHeaders = {
  'Content-Encoding': Type.String({ description: 'The compression, if any (RFC 9659).', examples: ['zstd'] }),
  Vary: Type.String({ description: 'The compression depends on `Accept-Encoding`.', examples: ['Accept-Encoding'] })
}

export const lossHeader = {
  'Graphstead-Loss': Type.String({
    description:
      'The losses of the conversion: a list (RFC 9651) of codes with counts. Absent if nothing is lost. See `docs/formats.md` for the codes.',
    examples: ['nested-metadata;n=12, type-widened;n=3']
  })
}

export const columnsHeader = {
  'Graphstead-Columns': Type.String({
    description:
      'For tables: the columns used for the endpoints of edges (`source`, `target`) and the node ids (`id`), as a dictionary (RFC 9651) of display strings; absent for other files.',
    examples: ['source=%"from", target=%"to"']
  })
}

/** The headers for a graph read from a file. */
export const readingHeaders = { ...etagHeader, ...lossHeader, ...columnsHeader }

const truncatedHeader = {
  'Graphstead-Truncated': Type.String({
    description:
      'The numbers of nodes within the depth, and of edges between them, that were omitted because of `limit`: a dictionary (RFC 9651). Absent if nothing was omitted.',
    examples: ['nodes=118, edges=3041']
  })
}

const contentHeaders = {
  'Content-Disposition': Type.String({
    description: 'A suggested file name (RFC 6266).',
    examples: ['attachment; filename="Les Miserables.graphml"']
  }),
  Vary: Type.String({ description: 'The format depends on `Accept`.', examples: ['Accept'] })
}

export const cookieHeader = {
  'Set-Cookie': Type.String({
    description:
      'Sets or removes the session cookie, which is HttpOnly, SameSite=Strict and, over TLS, Secure with a name that starts with `__Host-` (RFC 6265). Signing in also sets a cookie that marks this browser as known.',
    examples: ['__Host-graphstead_session=…; Path=/; HttpOnly; Secure; SameSite=Strict']
  })
}

export const sessionHeader = {
  'Graphstead-Session': Type.Unsafe<'ended'>({
    type: 'string',
    enum: ['ended'],
    description: 'Present if the browser sent a session that has ended.'
  })
}

export const usageHeader = {
  'Graphstead-Usage': Type.String({
    description: "The usage and limits of the caller's graphs: a dictionary (RFC 9651).",
    examples: ['graphs=12, bytes=48211, max-bytes=1073741824']
  })
}

export const locationHeader = {
  Location: Type.String({ description: 'The address of the new resource.', examples: ['/api/graphs/7'] })
}

/** The headers that describe a page of a list. */
export const pageHeaders = {
  'X-Total-Count': Type.Integer({ minimum: 0, description: 'The total number of items; absent with `cursor`.' }),
  Link: Type.String({
    description:
      '`first`, `prev`, `next` and `last` (RFC 8288); with `cursor`, only `first` and `next`; for a long query, only `next`.',
    examples: ['</api/graphs?page=0&size=20>; rel="first", </api/graphs?page=0&size=20>; rel="last"']
  }),
  'X-Next-Cursor': Type.String({ description: 'The `cursor` of the next page.' })
}

/** The headers that describe a page of a list that can be read only by cursor. */
export const cursorHeaders = {
  Link: Type.String({
    description: '`first` and `next` (RFC 8288); for a long query, only `next`.',
    examples: ['</api/search?q=tp53&cursor=&size=20>; rel="first"']
  }),
  'X-Next-Cursor': pageHeaders['X-Next-Cursor']
}

export const indexingHeader = {
  'Graphstead-Indexing': Type.String({
    description:
      'Present while graphs are being added to the search index, for example after an upgrade. Until then, searches may miss some graphs.',
    examples: ['?1']
  })
}

/** Describes a successful response with a file in one of the formats. JSON Schema cannot describe its content. */
function file(mediaTypes: string[], description: string, headers: Headers) {
  return { description, headers, content: contentIn(mediaTypes) } as unknown as TSchema
}

/** Returns the responses of an operation that sends a graph as a file. */
export function graphFile(mediaTypes: string[]): Record<number, TSchema> {
  return {
    200: file(mediaTypes, 'The content.', { ...etagHeader, ...lossHeader, ...contentHeaders }),
    304: emptyAnswer('The client already has this state.', etagHeader),
    ...refusals(400, 404, 406)
  }
}

/** Returns the responses of an operation that sends a picture. */
export function picture(form: PictureForm): Record<number, TSchema> {
  const schema = Type.Unsafe<never>({ type: 'string', format: 'binary', description: 'The picture.' })
  return {
    200: {
      description: 'The picture.',
      headers: etagHeader,
      content: { [pictureTypes[form]]: { schema } }
    } as unknown as TSchema,
    304: emptyAnswer('The client already has this state.', etagHeader),
    ...refusals(400, 404)
  }
}

/** The successful responses of an operation that sends a layout. */
export const layout = {
  200: {
    description: 'The positions.',
    headers: etagHeader,
    content: { 'application/json': { schema: ref(GraphLayout) } }
  } as unknown as TSchema,
  202: emptyAnswer('The layout is being computed. Ask again.', { 'Retry-After': retryAfter }),
  304: emptyAnswer('The client already has this state.', etagHeader)
}

/** Describes a successful response with GraphContent, or with a file in one of the formats. */
export function contentOrFile(mediaTypes: string[], description: string): TSchema {
  const headers = { ...truncatedHeader, ...lossHeader, ...contentHeaders }
  const { content } = file(mediaTypes, description, headers) as unknown as { content: Record<string, object> }
  const json = { 'application/json': { schema: ref(GraphContent) } }
  return { description, headers, content: { ...content, ...json } } as unknown as TSchema
}

/** Describes a successful response with a body, either as JSON or as readable text. */
export function alsoAsText<T extends TSchema>(schema: T, description: string) {
  const headers = { Vary: Type.String({ description: 'The format depends on `Accept`.', examples: ['Accept'] }) }
  const content = {
    'application/json': { schema: ref(schema) },
    'text/plain': { schema: Type.String({ description: 'Lines that start with `-`, `+` or `~`.' }) }
  }
  return { description, headers, content } as unknown as TSchema
}

/** Describes a successful response with text. */
export function plainText(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: Type.String() } } } as unknown as TSchema
}

/** Returns whether a media type is JSON. */
function isJson(mediaType: string) {
  return /[/+]json$/.test(mediaType)
}

/** Describes content in one of the media types: any JSON, or bytes, which generated clients handle as files. */
export function contentIn(mediaTypes: string[]) {
  const bytes = { shown: { type: 'string', format: 'binary' } }
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: isJson(type) ? {} : bytes }]))
}
