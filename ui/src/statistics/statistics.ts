import { clusteringCoefficients } from '../../../picture/measures/clustering.ts'
import { adjacencyOf, type Links } from '../../../picture/measures/links.ts'
import { communities } from '../../../picture/model/communities.ts'
import { componentsOf } from '../../../picture/model/components.ts'
import { at } from '../graph/network/network.ts'
import { assortativity } from './assortativity.ts'
import { density } from './density.ts'
import { type Distances, distances } from './distances.ts'
import { modularity } from './modularity.ts'
import { partOfLinks } from './part-of-links.ts'
import { reciprocity } from './reciprocity.ts'
import { strongComponents } from './strong-components.ts'
import { transitivity } from './transitivity.ts'
import { isDirected, uniformLinks } from './uniform-links.ts'

/** The statistics of a network. Those that are undefined for it are absent. */
export interface Statistics {
  nodes: number
  edges: number
  /** Whether any edge is directed. */
  isDirected: boolean
  /** The average number of edges at a node, whatever their direction. A loop counts twice. */
  meanDegree: number | undefined
  density: number
  /** The number of connected components, ignoring direction. */
  components: number
  /** Only for directed networks. */
  strongComponents: number | undefined
  /** In the largest component, or in the largest strongly connected one if edges are directed, which has `of` nodes. */
  distances: (Distances & { of: number }) | undefined
  transitivity: number
  /** The average of the local clustering coefficients. */
  meanClustering: number | undefined
  /** Only for directed networks. */
  reciprocity: number | undefined
  assortativity: number | undefined
  modularity: number | undefined
  /** The number of groups whose modularity is given. */
  groups: number
}

/** The groups whose modularity to compute: the number of each node's group, or the resolution for the Louvain method. */
export type Grouping = { groups: Uint32Array } | { resolution: number | undefined }

/** Computes all statistics with the definitions of networkx. */
export function statistics(links: Links, grouping: Grouping, report: (share: number) => void): Statistics {
  const uniform = uniformLinks(links)
  const isOneWay = isDirected(links)
  const parts = componentsOf(links.count, links.source, links.target)
  const strong = isOneWay ? strongComponents(adjacencyOf(uniform, 'out')) : undefined
  const largest = strong ? largestOf(strong) : parts[0]
  const groups = 'groups' in grouping ? grouping.groups : communities(links, grouping.resolution)
  return {
    nodes: links.count,
    edges: links.source.length,
    isDirected: isOneWay,
    meanDegree: links.count > 0 ? (2 * links.source.length) / links.count : undefined,
    density: density(uniform),
    components: parts.length,
    strongComponents: strong?.length,
    distances: largest && {
      ...distances(adjacencyOf(partOfLinks(uniform, largest), 'out'), report),
      of: largest.length
    },
    transitivity: transitivity(uniform),
    meanClustering: links.count > 0 ? sumOf(clusteringCoefficients(links)) / links.count : undefined,
    reciprocity: isOneWay ? reciprocity(uniform) : undefined,
    assortativity: assortativity(uniform),
    modularity: modularity(uniform, groups),
    groups: new Set(groups).size
  }
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Returns the largest component. Among equals, the one with the first node. */
function largestOf(components: Uint32Array[]): Uint32Array | undefined {
  let best: Uint32Array | undefined
  for (const component of components) {
    const length = best?.length ?? 0
    if (component.length > length || (component.length === length && at(component, 0) < at(best ?? [], 0)))
      best = component
  }
  return best
}
