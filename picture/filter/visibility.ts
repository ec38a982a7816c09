import type { Attribute, Value } from '../model/attributes.ts'
import { at, type Network } from '../model/network.ts'
import { type AttributeFilter, attributeOf, type Elements, type Filter, isActive } from './filters.ts'
import { shownByValue } from './kinds.ts'
import { neighbourhoodOf } from './neighbourhood.ts'

/** The elements hidden by filters, and the numbers of visible ones. */
export interface Visibility {
  /** 1 for each hidden node. Undefined if no filter hides nodes. */
  hidden: Uint8Array | undefined
  /** 1 for each hidden edge. An edge is hidden if either endpoint is hidden. */
  hiddenEdges: Uint8Array | undefined
  nodes: number
  edges: number
}

/**
 * Applies filters in time linear in the number of nodes and edges. Each filter considers the whole network, so the order of
 * filters does not matter. A filter by a missing attribute or node hides nothing.
 */
export function visibilityOf(
  network: Network,
  filters: Filter[],
  attributes: Record<Elements, Attribute[]>
): Visibility {
  const { length: nodeCount } = network.nodes
  const { length: edgeCount } = network.edges
  if (!filters.some(isActive)) return { hidden: undefined, hiddenEdges: undefined, nodes: nodeCount, edges: edgeCount }
  const [hidden, hiddenEdges] = [new Uint8Array(nodeCount), new Uint8Array(edgeCount)]
  for (const filter of filters.filter(isActive)) {
    const isShown = testOf(filter, network, attributes)
    if (!isShown) continue
    const isOfEdges = 'attribute' in filter && filter.of === 'edges'
    const target = isOfEdges ? hiddenEdges : hidden
    for (let index = 0; index < target.length; index++) {
      if (target[index] === 0 && !isShown(index)) target[index] = 1
    }
  }
  let nodes = nodeCount
  for (const isHidden of hidden) nodes -= isHidden
  let edges = 0
  for (let edge = 0; edge < edgeCount; edge++) {
    if (hidden[at(network.source, edge)] === 1 || hidden[at(network.target, edge)] === 1) hiddenEdges[edge] = 1
    if (hiddenEdges[edge] === 0) edges++
  }
  return {
    hidden: nodes < nodeCount ? hidden : undefined,
    hiddenEdges: edges < edgeCount ? hiddenEdges : undefined,
    nodes,
    edges
  }
}

/** Returns a predicate that reports whether a filter shows an element, or undefined if it hides nothing. */
function testOf(
  filter: Filter,
  network: Network,
  attributes: Record<Elements, Attribute[]>
): ((index: number) => boolean) | undefined {
  if ('text' in filter) return testOfText(filter.text, network, attributes.nodes)
  if ('around' in filter) {
    const start = network.indexOf.get(filter.around)
    if (start === undefined) return undefined
    const reached = neighbourhoodOf(network, start, filter.depth)
    return (node) => reached[node] === 1
  }
  const attribute = attributeOf(filter, { network, ...attributes })
  if (!attribute) return undefined
  const isShown = testOfValue(filter)
  return (index) => isShown(attribute.read(index))
}

function testOfValue(filter: AttributeFilter): (value: Value) => boolean {
  if (!('least' in filter)) return shownByValue(filter)
  const { least, greatest } = filter
  return (value) => typeof value === 'number' && value >= least && value <= greatest
}

function testOfText(text: string, { nodes }: Network, attributes: Attribute[]) {
  const sought = text.trim().toLowerCase()
  const stored = attributes.filter(({ isComputed }) => !isComputed)
  const has = (value: Value) => value !== undefined && String(value).toLowerCase().includes(sought)
  return (index: number) =>
    has(nodes[index]?.id) || has(nodes[index]?.label) || stored.some(({ read }) => has(read(index)))
}
