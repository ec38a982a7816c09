/** The measures of nodes that the app computes. */
export const measureNames = [
  'community',
  'component',
  'pageRank',
  'betweenness',
  'closeness',
  'core',
  'clustering',
  'weightedDegree'
] as const

export type MeasureName = (typeof measureNames)[number]

/** Whether the measure sorts nodes into groups, numbered from 1. The others are amounts. */
export function isGrouping(measure: MeasureName): boolean {
  return measure === 'community' || measure === 'component'
}
