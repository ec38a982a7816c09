import type { Loss } from '../../schemas/graph-file.ts'
import { contentOf } from '../content/content.ts'
import { writableFormatNamed } from '../formats/index.ts'
import type { WritableFormat } from '../formats/shared/format.ts'
import type { Subgraph } from '../query/subgraph.ts'
import { writeGraphFile } from './conversion.ts'

/** The format for a part of a graph: GraphContent, or a file in the named format. */
export interface PartForm {
  format: string | undefined
  name: string
  type: string | undefined
}

/** Part of a graph as bytes, with its conversion losses and how many elements were omitted. */
export interface Part {
  bytes: Buffer
  losses: Loss[]
  left: Subgraph['left']
}

/** Returns the subgraph in the given format. */
export function partOf({ json, left }: Subgraph, { format, name, type }: PartForm): Part {
  if (format === undefined) return { bytes: json, losses: [], left }
  const graph = { name, ...(type !== undefined && { type }), content: contentOf(json) }
  const { losses, chunks } = writeGraphFile(graph, writableFormatNamed(format) as WritableFormat)
  return { bytes: Buffer.concat([...chunks]), losses, left }
}
