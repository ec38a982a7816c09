import type { Positions } from '../graph/network/network.ts'

/** The positions before a layout or a drag, which undo restores. */
export interface EarlierPlaces {
  /** The positions that are changed in place, and their previous values. */
  positions: Positions
  places: Positions
  isMoved: boolean
  /** The last saved positions at that time. */
  sent: Positions | undefined
}

/** The maximum number of steps to undo, and of numbers that they keep (128 MB). The last step is always kept. */
const STEPS = 20
const NUMBERS = 16e6

/** Returns the steps followed by this one, without those of other positions and the oldest that exceed the bounds. */
export function withStep(steps: readonly EarlierPlaces[], step: EarlierPlaces): readonly EarlierPlaces[] {
  const { length } = step.places
  const most = Math.min(STEPS, Math.max(1, Math.floor(NUMBERS / Math.max(1, length))))
  return [...steps.filter(({ positions }) => positions === step.positions), step].slice(-most)
}
