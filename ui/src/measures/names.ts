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

/** The values of every node, by number, of the measures that are computed. */
export type MeasureValues = ReadonlyMap<MeasureName, Float64Array>

/** Whether the measure sorts nodes into groups, numbered from 1. The others are amounts. */
export function isGrouping(measure: MeasureName): boolean {
  return measure === 'community' || measure === 'component'
}

/** The key of a measure among the attributes of nodes. No stored attribute has it. */
export function measureKey(measure: MeasureName): string {
  return `measure.${measure}`
}

/** The measures among keys of attributes. */
export function measuresAmong(keys: (string | undefined)[]): MeasureName[] {
  return measureNames.filter((name) => keys.includes(measureKey(name)))
}
