import type { GraphDiff } from '../schemas/diff.ts'
import { type DiffedRecord, diffContents, diffRecords } from './diff.ts'
import { diffText } from './diff-text.ts'
import { contentOf } from './files.ts'

/** Which versions are compared, what is known of them without their content, and how the difference shall look. */
export interface DiffRequest extends Pick<GraphDiff, 'id' | 'from' | 'to'> {
  /** What the records say. */
  records: [from: DiffedRecord, to: DiffedRecord]
  limit: number
  as: 'json' | 'text'
}

/** The difference of two versions, with their contents as stored JSON: as a GraphDiff in JSON, or as text. */
export function writeDiff(
  from: Buffer | undefined,
  to: Buffer | undefined,
  { id, from: first, to: second, records, limit, as }: DiffRequest
): Buffer {
  const { fields, nodes, edges, truncated } = diffContents(from && contentOf(from), to && contentOf(to), limit)
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
