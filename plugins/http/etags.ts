import type { Access, GraphRecord } from '../../schemas/graph.ts'

type State = Pick<GraphRecord, 'id' | 'version' | 'updatedAt'>

const nameOf = ({ id, version, updatedAt }: State) => `${id}-${version}-${updatedAt}`

/** The suffixes of tags for callers with other rights than the owner, because they see another record. */
const accessMarks: Record<Access, string> = { OWNER: '', WRITE: '-write', READ: '-read' }

/**
 * Returns the strong validator of a graph as GET shows it (RFC 9110, section 8.8), with the right of the caller. The time is
 * part of it because version numbers may repeat after an older copy of the store was restored. Its content in a format has
 * another tag, and so have the compressed graph, `zstd`, and the graph without content, `record`.
 */
export function etagOf(graph: State & Pick<GraphRecord, 'access'>, format?: string) {
  return `"${nameOf(graph)}${accessMarks[graph.access]}${format === undefined ? '' : `.${format}`}"`
}

/** Tells whether the client has the representation already, by If-None-Match (RFC 9110, section 13.1.2). Compares weakly. */
export function isKnown(header: string | undefined, etag: string) {
  if (header === undefined) return false
  return header.trim() === '*' || tags(header).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Returns the tag that the client has already: of the graph as JSON, or of its record, without content; undefined if it has none. */
export function knownOf(header: string | undefined, graph: Parameters<typeof etagOf>[0], isRecord = false) {
  const tags = isRecord ? [etagOf(graph, 'record')] : [etagOf(graph), etagOf(graph, 'zstd')]
  return tags.find((tag) => isKnown(header, tag))
}

/**
 * Tells whether the request is meant for this state of the graph, by If-Match (section 13.1.1). Compares strongly. Tags of other
 * callers' records and of the content in any format name the same state.
 */
export function isExpected(header: string | undefined, graph: State) {
  if (header === undefined || header.trim() === '*') return true
  return tags(header).some((tag) => tag.replace(/(-read|-write)?(\.[a-z0-9-]+)?"$/, '"') === `"${nameOf(graph)}"`)
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}
