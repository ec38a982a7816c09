import { create } from 'content-disposition'
import Negotiator from 'negotiator'
import type { FileOptions } from '../../graph/files/conversion.ts'
import { safeFileName } from '../../graph/files/names.ts'
import {
  formatNamed,
  formats,
  mediaTypes,
  writableFormatNamed,
  writableFormats,
  writableMediaTypes
} from '../../graph/formats/index.ts'
import { foreignMediaTypeName } from '../../graph/formats/shared/foreign-text.ts'
import type { Format, WritableFormat } from '../../graph/formats/shared/format.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'

const all = formats.map(({ name }) => name)

/** Media types shared by several formats, mapped to those formats. */
const generic: ReadonlyMap<string, string[]> = new Map([
  ['application/json', namesWith('.json')],
  ['application/x-ndjson', namesWith('.jsonl')],
  ['application/xml', ['graphml', 'gexf', 'xgmml']],
  ['text/xml', ['graphml', 'gexf', 'xgmml']],
  ['text/plain', all],
  ['application/octet-stream', all],
  ['application/gzip', all],
  ['application/x-gzip', all],
  ['application/zstd', all],
  ['application/zip', all],
  ['application/x-zip-compressed', all],
  ['application/x-www-form-urlencoded', all]
])

/** Returns the names of the formats with this file name extension. */
function namesWith(extension: string) {
  return formats.filter(({ endings }) => endings.includes(extension)).map(({ name }) => name)
}

/** Media types of individual formats, including unofficial ones. */
const specific: ReadonlyMap<string, string> = new Map([
  ...formats
    .filter(({ mediaType }) => !generic.has(mediaType))
    .map(({ mediaType, name }) => [mediaType, name] as const),
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['text/xgmml', 'xgmml'],
  ['text/xgmml+xml', 'xgmml'],
  ['application/gml', 'gml'],
  ['application/gml+xml', 'gml'],
  ['text/dot', 'dot'],
  ['text/x-graphviz', 'dot'],
  ['application/x-dot', 'dot']
])

/**
 * Returns how to read a body: based on its media type, or else the format in the query, or else its content. Throws
 * `media-type-unsupported` or `format-unknown`. An unknown format in the query is an error with any media type.
 */
export function fileOptionsOf(contentType: string | undefined, formatName: string | undefined): FileOptions {
  const [, type = 'application/octet-stream', parameters = ''] =
    /^\s*([^;\s]+)\s*(.*)$/s.exec(contentType?.toLowerCase() ?? '') ?? []
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/.exec(parameters)?.[1]
  const format = formatName === undefined ? undefined : formatNamed(formatName)
  if (formatName !== undefined && !format) throw new ProblemError('format-unknown', { detail: listFormats() })
  const named = specific.get(type)
  if (named !== undefined) return { formats: [named], charset }
  const candidates = generic.get(type)
  const foreign = candidates ? undefined : foreignMediaTypeName(type)
  if (foreign !== undefined) throw new ProblemError('format-unknown', { detail: foreign })
  if (!candidates)
    throw new ProblemError('media-type-unsupported', {
      detail: `${type.slice(0, 100)} is not a supported format. Use one of ${mediaTypes.join(', ')}.`
    })
  return { formats: format ? [format.name] : candidates, charset }
}

/** Returns how a file is compressed according to Content-Encoding, or undefined if it is not. Throws `media-type-unsupported`. */
export function fileEncodingOf(header = 'identity'): FileOptions['encoding'] {
  const encoding = header.trim().toLowerCase()
  if (encoding === 'identity') return undefined
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  if (encoding === 'zstd') return 'zstd'
  throw new ProblemError('media-type-unsupported', {
    detail: 'The Content-Encoding of a file must be gzip or zstd, or absent.'
  })
}

/**
 * Returns the format for the response: the one in the query, or the best one that the client accepts. Throws
 * `format-not-acceptable`.
 */
export function acceptedFormat(accept: string | undefined, formatName: string | undefined): WritableFormat {
  if (formatName !== undefined) {
    const format = writableFormatNamed(formatName)
    if (format) return format
    throw new ProblemError('format-not-acceptable', { detail: listFormats(writableFormats) })
  }
  const best = negotiatorOf(accept).mediaType([...writableMediaTypes])
  const format = writableFormats.find(({ mediaType }) => mediaType === best)
  if (format) return format
  throw new ProblemError('format-not-acceptable', { detail: `Available formats: ${writableMediaTypes.join(', ')}.` })
}

/**
 * Returns the format for the response, or undefined for GraphContent in JSON, which is the default. Throws
 * `format-not-acceptable`.
 */
export function acceptedPart(accept: string | undefined, formatName: string | undefined): WritableFormat | undefined {
  if (formatName === undefined && negotiatorOf(accept).mediaType([JSON_TYPE, ...writableMediaTypes]) === JSON_TYPE) {
    return undefined
  }
  return acceptedFormat(accept, formatName)
}

const JSON_TYPE = 'application/json'

function listFormats(some: readonly Format[] = formats) {
  return `Available formats: ${some.map(({ name }) => name).join(', ')}.`
}

/** Returns the format for a diff according to Accept. Throws `format-not-acceptable`. */
export function acceptedDiff(accept: string | undefined): 'json' | 'text' {
  const best = negotiatorOf(accept).mediaType(['application/json', 'text/plain'])
  if (best !== undefined) return best === 'text/plain' ? 'text' : 'json'
  throw new ProblemError('format-not-acceptable', { detail: 'Available formats: application/json, text/plain.' })
}

/** Returns whether a client accepts an encoding such as `zstd` (RFC 9659) or `gzip`, according to Accept-Encoding. */
export function acceptsEncoding(encoding: string, headers: { 'accept-encoding'?: string | string[] | undefined }) {
  // Any encoding is acceptable if the header is missing (RFC 9110). However, a client that does not send it probably supports
  // none.
  const accepted = String(headers['accept-encoding'] ?? '')
  if (accepted === '' || accepted.length > LONGEST) return false
  return new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings([encoding]).includes(encoding)
}

/**
 * The maximum length of a header, in characters. Longer headers are ignored, since each of their thousands of media types would
 * be compared with every available type.
 */
const LONGEST = 1024

function negotiatorOf(accept: string | undefined) {
  return new Negotiator({ headers: accept === undefined || accept.length > LONGEST ? {} : { accept } })
}

/** Returns the Content-Type header for a format. All formats use UTF-8. */
export function contentTypeOf({ mediaType }: Format) {
  return mediaType.startsWith('text/') || mediaType === 'application/json' ? `${mediaType}; charset=utf-8` : mediaType
}

/** Returns a Content-Disposition header (RFC 6266) with a file name that is safe on every system. */
export function attachment(name: string, { endings }: Format) {
  return create(`${safeFileName(name)}${endings[0]}`)
}
