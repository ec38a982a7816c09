import type { ContentDiff, DiffDigest, GraphDiff } from '../../schemas/diff.ts'
import { contentOf } from '../content/content.ts'
import { type DiffedRecord, diffContents, diffRecords } from './compare.ts'
import { diffText } from './text.ts'

/** Two versions to compare, without their content, and the format of the result. */
export interface DiffedVersions extends Pick<GraphDiff, 'id' | 'from' | 'to'> {
  /** The fields of the records to compare. */
  records: [from: DiffedRecord, to: DiffedRecord]
  as: 'json' | 'text' | 'digest'
}

/** A request to compare two versions, or only their content. */
export interface DiffRequest {
  versions?: DiffedVersions
  /** The maximum number of elements in each list. */
  limit: number
}

/** The maximum length of a digest, in characters. */
const LONGEST_DIGEST = 32 * 1024

/**
 * Returns the differences between two versions as a GraphDiff or DiffDigest in JSON, or as text. Without `versions`, returns a
 * ContentDiff in JSON. `from` and `to` are JSON from the store.
 */
export function writeDiff(from: Buffer | undefined, to: Buffer | undefined, { versions, limit }: DiffRequest): Buffer {
  const content: ContentDiff = diffContents(from && contentOf(from), to && contentOf(to), limit)
  if (!versions) return Buffer.from(JSON.stringify(content))
  const { id, from: first, to: second, records, as } = versions
  const { fields, nodes, edges, truncated } = content
  const diff: GraphDiff = {
    id,
    ...(first && { from: first }),
    to: second,
    fields: [...diffRecords(...records), ...fields],
    nodes,
    edges,
    truncated
  }
  if (as === 'text') return Buffer.from([...diffText(diff)].join(''))
  return Buffer.from(JSON.stringify(as === 'json' ? diff : digestOf(diff)))
}

function digestOf(diff: GraphDiff): DiffDigest {
  const { text, isCut } = firstCharacters(diffText(diff), LONGEST_DIGEST)
  const countsOf = ({ added, removed, changed }: GraphDiff['nodes'] | GraphDiff['edges']) => ({
    added: added.count,
    removed: removed.count,
    changed: changed.count
  })
  const { fields, nodes, edges, truncated } = diff
  return {
    fields: fields.length,
    nodes: countsOf(nodes),
    edges: countsOf(edges),
    truncated: truncated || isCut,
    text
  }
}

/** Joins the lines into text of at most `most` characters. */
function firstCharacters(lines: Iterable<string>, most: number) {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length > most) return { text: text.slice(0, most).toWellFormed(), isCut: true }
  }
  return { text, isCut: false }
}
