/** The maximum numbers of nodes and edges of networks that are laid out within about a second. */
const QUICK = { nodes: 2000, edges: 10_000 }

/** The maximum numbers of nodes and edges of networks that are drawn within about two seconds once their layout is known. */
const PICTURED = { nodes: 10_000, edges: 20_000 }

interface Counts {
  nodeCount: number
  edgeCount: number
}

/** Returns whether a layout of the network takes at most about a second. */
export function isQuick({ nodeCount, edgeCount }: Counts): boolean {
  return nodeCount <= QUICK.nodes && edgeCount <= QUICK.edges
}

/**
 * Returns whether pictures show the nodes and edges of the network once its layout is known. Pictures of larger networks show the
 * density of nodes.
 */
export function showsNodes({ nodeCount, edgeCount }: Counts): boolean {
  return nodeCount <= PICTURED.nodes && edgeCount <= PICTURED.edges
}
