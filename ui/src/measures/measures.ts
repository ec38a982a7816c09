import { communities } from '../../../graph/picture/communities.ts'
import { betweenness, closeness, type Report } from './centrality.ts'
import { clusteringCoefficients } from './clustering.ts'
import { components } from './components.ts'
import { coreNumbers } from './cores.ts'
import type { Links } from './links.ts'
import type { MeasureName } from './names.ts'
import { pageRank } from './page-rank.ts'
import { weightedDegrees } from './weighted-degree.ts'

/** Computes each measure: a number for every node. */
export const measures: Record<MeasureName, (links: Links, report: Report) => Float64Array> = {
  community: communities,
  component: components,
  pageRank,
  betweenness,
  closeness,
  core: coreNumbers,
  clustering: clusteringCoefficients,
  weightedDegree: weightedDegrees
}
