import type { GraphDiff } from '../schemas/diff.ts'
import { contentOf } from './content.ts'
import { type DiffedRecord, diffContents, diffRecords } from './diff.ts'
import { diffText } from './diff-text.ts'

/** The two versions to compare, without their content, and the form of the result. */
export interface DiffRequest extends Pick<GraphDiff, 'id' | 'from' | 'to'> {
  /** The compared fields of the records. */
  records: [from: DiffedRecord, to: DiffedRecord]
  limit: number
  as: 'json' | 'text'
}

/** Returns the difference of two versions as a GraphDiff in JSON, or as text. The contents are stored JSON. */
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
