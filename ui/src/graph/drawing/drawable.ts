import type { GraphRecord } from '../../api.ts'

/** The maximum number of nodes and edges to draw. */
export const MOST_DRAWN = 200_000

export function isDrawable({ nodeCount, edgeCount }: Pick<GraphRecord, 'nodeCount' | 'edgeCount'>) {
  return nodeCount + edgeCount <= MOST_DRAWN
}
