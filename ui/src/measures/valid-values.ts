import type { Links } from '../../../picture/measures/links.ts'
import { type MeasureName, type MeasureValues, usesWeights } from '../../../picture/measures/names.ts'

/** The values of a measure, and the inputs they were computed from. */
export interface Computed extends MeasureInputs {
  values: Float64Array
}

interface MeasureInputs {
  links: Links
  /** The resolution of communities, or undefined for the default. */
  resolution: number | undefined
}

/** The inputs of all measures. `edges` are the same links, but their weights may be outdated. */
type Inputs = MeasureInputs & { edges: Links }

/** Returns the inputs of a measure. They change only if its values may change. */
export function inputsOf(name: MeasureName, { links, edges, resolution }: Inputs): MeasureInputs {
  return {
    links: usesWeights(name) ? links : edges,
    resolution: name === 'community' ? resolution : undefined
  }
}

/** Returns the values that are still valid for these inputs. */
export function validValues(computed: ReadonlyMap<MeasureName, Computed>, inputs: Inputs): MeasureValues {
  const values = new Map<MeasureName, Float64Array>()
  for (const [name, known] of computed) {
    const { links, resolution } = inputsOf(name, inputs)
    if (known.links === links && known.resolution === resolution) values.set(name, known.values)
  }
  return values
}
