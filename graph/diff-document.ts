import type { ContentDiff, GraphDiff } from '../schemas/diff.ts'
import { contentOf } from './content.ts'
import { type DiffedRecord, diffContents, diffRecords } from './diff.ts'
import { diffText } from './diff-text.ts'

/** Two versions to compare, without their content, and the form of the result. */
export interface DiffedVersions extends Pick<GraphDiff, 'id' | 'from' | 'to'> {
  /** The compared fields of the records. */
  records: [from: DiffedRecord, to: DiffedRecord]
  as: 'json' | 'text'
}

/** A request to compare two versions, or two contents without versions. */
export interface DiffRequest {
  versions?: DiffedVersions
  /** The maximum length of each list. */
  limit: number
}

/**
 * Returns the difference of two versions as a GraphDiff in JSON, or as text; without versions as a ContentDiff in JSON. The
 * contents are stored JSON.
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
  return Buffer.from(as === 'json' ? JSON.stringify(diff) : [...diffText(diff)].join(''))
}
