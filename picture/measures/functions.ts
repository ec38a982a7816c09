import { communities } from '../model/communities.ts'
import { componentsOf } from '../model/components.ts'
import { at } from '../model/network.ts'
import { betweenness, closeness, type Report } from './centrality.ts'
import { clusteringCoefficients } from './clustering.ts'
import { coreNumbers } from './cores.ts'
import { eigenvectorCentrality } from './eigenvector.ts'
import { hits } from './hits.ts'
import type { Links } from './links.ts'
import type { MeasureName } from './names.ts'
import { pageRank } from './page-rank.ts'

/**
 * The functions that compute the measures. Each returns a number for every node. The resolution is that of communities.
 */
export const measures: Record<MeasureName, (links: Links, report: Report, resolution?: number) => Float64Array> = {
  community: (links, _report, resolution) => communities(links, resolution),
  component: components,
  pageRank,
  betweenness,
  closeness,
  eigenvector: eigenvectorCentrality,
  hub: (links, report) => hits(links, report).hubs,
  authority: (links, report) => hits(links, report).authorities,
  core: coreNumbers,
  clustering: clusteringCoefficients,
  weightedDegree: weightedDegrees
}

/** Returns the number of each node's connected component, ignoring direction. The largest component is number 1. */
function components({ count, source, target }: Links): Float64Array {
  const values = new Float64Array(count)
  for (const [index, nodes] of componentsOf(count, source, target).entries()) {
    for (const node of nodes) values[node] = index + 1
  }
  return values
}

/** Returns the total weight of the edges at each node. A loop counts twice. */
function weightedDegrees({ count, source, target, weights }: Links): Float64Array {
  const sums = new Float64Array(count)
  for (let edge = 0; edge < source.length; edge++) {
    for (const end of [at(source, edge), at(target, edge)]) sums[end] = at(sums, end) + at(weights, edge)
  }
  return sums
}
