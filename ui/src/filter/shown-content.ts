import type { Visibility } from '../../../picture/filter/visibility.ts'
import type { GraphContent } from '../api.ts'

/**
 * Returns the visible nodes and edges of a graph's content with all their data. `nodes` contains all nodes with their
 * positions.
 */
export function shownContent(
  content: GraphContent,
  nodes: GraphContent['nodes'],
  { hidden, hiddenEdges }: Pick<Visibility, 'hidden' | 'hiddenEdges'>
): GraphContent {
  return {
    ...content,
    nodes: hidden ? nodes.filter((_, node) => hidden[node] === 0) : nodes,
    edges: hiddenEdges ? content.edges.filter((_, edge) => hiddenEdges[edge] === 0) : content.edges
  }
}
