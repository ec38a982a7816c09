import type { GraphRecord } from '../../schemas/graph.ts'

/**
 * The strong validator of a graph as GET shows it (RFC 9110, section 8.8). The time is part of it because versions
 * may be counted anew after a restore of an older copy of the store. Its content in a format has a tag of its own.
 */
export function etagOf({ id, version, updatedAt }: Pick<GraphRecord, 'id' | 'version' | 'updatedAt'>, format?: string) {
  return `"${id}-${version}-${updatedAt}${format === undefined ? '' : `.${format}`}"`
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
 * If-Match (section 13.1.1): whether the request is meant for this state. Compares strongly; the tag of the content in
 * some format names the same state of the graph.
 */
export function isExpected(header: string | undefined, etag: string) {
  if (header === undefined) return true
  return header.trim() === '*' || tags(header).some((tag) => tag.replace(/\.[a-z0-9-]+"$/, '"') === etag)
}

function tags(header: string): string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []
}
