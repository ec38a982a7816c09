import type { Histogram } from './histogram.ts'

/** The maximum number of steps for integers. In a larger range, several integers share a step. */
const MOST_STEPS = 1000
/** The number of steps if not all numbers are integers. */
const STEPS = 200

/** Maps slider steps, counted from 0, to values. The first and last steps map exactly to the bounds. */
interface SliderScale {
  steps: number
  valueAt(step: number): number
  /** Returns the step nearest to a value. */
  stepOf(value: number): number
}

export function sliderScale({
  least,
  greatest,
  isWhole
}: Pick<Histogram, 'least' | 'greatest' | 'isWhole'>): SliderScale {
  const extent = greatest - least
  const steps = isWhole && extent <= MOST_STEPS ? extent : STEPS
  return {
    steps,
    valueAt: (step) => {
      if (step === steps) return greatest
      // The difference may overflow to Infinity.
      const value = least * (1 - step / steps) + greatest * (step / steps)
      return isWhole ? Math.round(value) : value
    },
    stepOf: (value) =>
      Math.min(steps, Math.max(0, Math.round(((value / 2 - least / 2) / (greatest / 2 - least / 2)) * steps)))
  }
}
