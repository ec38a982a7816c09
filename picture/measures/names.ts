/** The node measures that the app can compute. */
export const measureNames = [
  'community',
  'component',
  'pageRank',
  'betweenness',
  'closeness',
  'eigenvector',
  'hub',
  'authority',
  'core',
  'clustering',
  'weightedDegree'
] as const

export type MeasureName = (typeof measureNames)[number]

const weighted: MeasureName[] = ['community', 'pageRank', 'hub', 'authority', 'weightedDegree']

/** The values of computed measures, by node index. */
export type MeasureValues = ReadonlyMap<MeasureName, Float64Array>

/** Returns whether the measure assigns nodes to groups, which are numbered from 1. Other measures are quantities. */
export function isGrouping(measure: MeasureName): boolean {
  return measure === 'community' || measure === 'component'
}

/** Returns whether the values of the measure depend on the weights of edges. */
export function usesWeights(measure: MeasureName): boolean {
  return weighted.includes(measure)
}

/** Returns the attribute key for a measure. No stored attribute has this key. */
export function measureKey(measure: MeasureName): string {
  return `measure.${measure}`
}

/** Returns the measures that are among these attribute keys. */
export function measuresAmong(keys: (string | undefined)[]): MeasureName[] {
  return measureNames.filter((name) => keys.includes(measureKey(name)))
}
