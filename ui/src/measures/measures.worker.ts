import { measures } from '../../../picture/measures/functions.ts'
import type { Links } from '../../../picture/measures/links.ts'
import type { MeasureName } from '../../../picture/measures/names.ts'
import { answer } from './worker-answer.ts'

// Computes measures in a worker, so that the page stays responsive.

export interface MeasureTask {
  measure: MeasureName
  links: Links
  /** The resolution of communities. If absent, it is 1. */
  resolution: number | undefined
}

self.onmessage = ({ data: { measure, links, resolution } }: MessageEvent<MeasureTask>) =>
  answer((report) => measures[measure](links, report, resolution))
