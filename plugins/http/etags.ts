import type { Access, GraphRecord } from '../../schemas/graph.ts'

type State = Pick<GraphRecord, 'id' | 'version' | 'updatedAt'>

const nameOf = ({ id, version, updatedAt }: State) => `${id}-${version}-${updatedAt}`

/** What tags add to the name of the state for callers who see another record of the graph than its owner. */
const accessMarks: Record<Access, string> = { OWNER: '', WRITE: '-write', READ: '-read' }

/**
 * The strong validator of a graph as GET shows it (RFC 9110, section 8.8), which includes what the caller may do. The time is
 * part of it because versions may be counted anew after a restore of an older copy of the store. Its content in a format has
 * a tag of its own.
 */
export function etagOf(graph: State & Pick<GraphRecord, 'access'>, format?: string) {
  return `"${nameOf(graph)}${accessMarks[graph.access]}${format === undefined ? '' : `.${format}`}"`
}

/** If-None-Match (RFC 9110, section 13.1.2): whether the client has this already. Compares weakly. */
export function isKnown(header: string | undefined, etag: string) {
  if (header === undefined) return false
  return header.trim() === '*' || tags(header).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** The tag of the graph that the client has already, in the form of JSON; undefined where it has none. */
export function knownOf(header: string | undefined, graph: Parameters<typeof etagOf>[0]) {
  if (header === undefined) return undefined
  return [etagOf(graph), etagOf(graph, 'zstd')].find((tag) => isKnown(header, tag))
}

/**
 * If-Match (section 13.1.1): whether the request is meant for this state of the graph. Compares strongly; the tag of another
 * caller's record, and that of the content in some format, name the same state.
 */
export function isExpected(header: string | undefined, graph: State) {
  if (header === undefined || header.trim() === '*') return true
  return tags(header).some((tag) => tag.replace(/(-read|-write)?(\.[a-z0-9-]+)?"$/, '"') === `"${nameOf(graph)}"`)
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}
