import type { Histogram } from './histogram.ts'

/** Integers of a larger range share the steps of a slider. */
const MOST_STEPS = 1000
/** The steps of other numbers. */
const STEPS = 200

/** The steps of a slider, from 0, and the values that they stand for. The first and the last step are exact. */
interface SliderScale {
  steps: number
  valueAt(step: number): number
  /** The step nearest to a value. */
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
      // The difference of two numbers may be too large for a number.
      const value = least * (1 - step / steps) + greatest * (step / steps)
      return isWhole ? Math.round(value) : value
    },
    stepOf: (value) =>
      Math.min(steps, Math.max(0, Math.round(((value / 2 - least / 2) / (greatest / 2 - least / 2)) * steps)))
  }
}
