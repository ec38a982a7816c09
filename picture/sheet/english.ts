import type { MeasureName } from '../measures/names.ts'
import { formatNumbersIn } from '../model/formatting.ts'
import type { LegendWords } from './legend-rows.ts'

/** The words used in pictures that the server draws. The web app has its own, in the user's language. */
export const words: LegendWords & {
  degree: string
  inDegree: string
  outDegree: string
  label: string
  relation: string
  community: string
  measures: Record<MeasureName, string>
  density(nodes: string): string
  inSquare(most: string): string
} = {
  degree: 'Degree',
  inDegree: 'In-degree',
  outDegree: 'Out-degree',
  label: 'Label',
  relation: 'Relation',
  community: 'Community',
  measures: {
    community: 'Community',
    component: 'Component',
    pageRank: 'PageRank',
    betweenness: 'Betweenness',
    closeness: 'Closeness',
    eigenvector: 'Eigenvector centrality',
    hub: 'Hub (HITS)',
    authority: 'Authority (HITS)',
    core: 'Core number',
    clustering: 'Clustering coefficient',
    weightedDegree: 'Weighted degree'
  },
  density: (nodes) => `Density of ${nodes} nodes`,
  inSquare: (most) => `1 to ${most} per square`,
  blank: '(blank)',
  missing: '(without a value)',
  count: (count) => `(${count})`,
  shown: (shown, count) => `(${shown} of ${count})`,
  edges: (title) => `Edges: ${title}`,
  size: (title) => `Size: ${title}`,
  edgeSize: (title) => `Edge size: ${title}`,
  others: (count) => `${count} more`,
  range: (least, greatest) => `${least} to ${greatest}`,
  scales: { log: 'logarithmic', rank: 'by rank' }
}

export const formatNumber = formatNumbersIn('en')
