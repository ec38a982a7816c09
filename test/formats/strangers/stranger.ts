import type { GraphContent } from '../../../schemas/graph-content.ts'

/**
 * A file, and the correct result of reading it: a graph with its first node and edge, faults with their lines, or a refusal.
 */
export type Stranger = [
  file: string,
  expected:
    | {
        format: string
        nodes: number
        edges: number
        losses: Record<string, number>
        first: [GraphContent['nodes'][0] | undefined, GraphContent['edges'][0] | undefined]
      }
    | { faults: (string | number | undefined)[][] }
    | { refused: string }
]
