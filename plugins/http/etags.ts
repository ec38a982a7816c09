import type { Access, GraphRecord } from '../../schemas/graph.ts'

type State = Pick<GraphRecord, 'id' | 'version' | 'updatedAt'>

const nameOf = ({ id, version, updatedAt }: State) => `${id}-${version}-${updatedAt}`

/** The ETag suffixes for callers whose rights differ from the owner's and who therefore see a different record. */
const accessMarks: Record<Access, string> = { OWNER: '', WRITE: '-write', READ: '-read' }

/**
 * Returns the strong ETag of a graph as GET shows it to the caller (RFC 9110, section 8.8). It includes the time, since version
 * numbers may repeat after an older backup is restored. Content in a file format, the compressed graph (`zstd`) and the graph
 * without content (`record`) have separate ETags.
 */
export function etagOf(graph: State & Pick<GraphRecord, 'access'>, format?: string) {
  return `"${nameOf(graph)}${accessMarks[graph.access]}${format === undefined ? '' : `.${format}`}"`
}

/**
 * Returns whether the client already has the representation, according to If-None-Match (RFC 9110, section 13.1.2). The
 * comparison is weak, and ignores anything added by proxies.
 */
export function isKnown(header: string | undefined, etag: string) {
  if (header === undefined) return false
  return header.trim() === '*' || tags(header).some((tag) => tag === etag || asSent(tag) === etag)
}

/**
 * Returns the ETag of the representation that the client already has: either the graph as JSON, or its record without content.
 * Returns undefined if it has neither.
 */
export function knownOf(header: string | undefined, graph: Parameters<typeof etagOf>[0], isRecord = false) {
  const tags = isRecord ? [etagOf(graph, 'record')] : [etagOf(graph), etagOf(graph, 'zstd')]
  return tags.find((tag) => isKnown(header, tag))
}

/**
 * Returns whether the request applies to this state of the graph, according to If-Match (section 13.1.1). The ETags of other
 * callers' records and of file formats identify the same state. So do weak ETags, which only proxies create, based on ours.
 */
export function isExpected(header: string | undefined, graph: State) {
  if (header === undefined || header.trim() === '*') return true
  return tags(header).some(
    (tag) => asSent(tag).replace(/(-read|-write)?(\.[a-z0-9-]+)?"$/, '"') === `"${nameOf(graph)}"`
  )
}

/** Returns the ETag as the server sent it, before a proxy compressed the response: `W/"…"` with nginx, `"…-gzip"` with Apache. */
function asSent(tag: string) {
  return tag.replace(/^W\//, '').replace(/--?(?:gzip|br|zstd|deflate)"$/, '"')
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}
