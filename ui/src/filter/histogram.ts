import { type Attribute, rangeOf } from '../graph/network/attributes.ts'

/** The maximum number of bars in a histogram. */
const BARS = 40

/** A histogram of an attribute's numbers, with bars of equal width. */
export interface Histogram {
  least: number
  greatest: number
  /** Whether all numbers are integers. */
  isWhole: boolean
  counts: Uint32Array
  /** The number of elements without a number. */
  without: number
}

/** Returns the histogram of an attribute, or undefined if it has no numbers. In a small range, each integer gets its own bar. */
export function histogramOf(attribute: Attribute, count: number): Histogram | undefined {
  const range = rangeOf(attribute, count)
  if (!range) return undefined
  const [least, greatest] = range
  const isWhole = hasIntegers(attribute, count)
  const bars = isWhole ? Math.min(BARS, greatest - least + 1) : greatest > least ? BARS : 1
  const counts = new Uint32Array(bars)
  let without = 0
  for (let index = 0; index < count; index++) {
    const value = attribute.read(index)
    if (typeof value !== 'number') without++
    else {
      const bar = barOf(value, least, greatest, bars)
      counts[bar] = (counts[bar] as number) + 1
    }
  }
  return { least, greatest, isWhole, counts, without }
}

/** Returns the bar that contains a value. The last bar includes the maximum. */
export function barOf(value: number, least: number, greatest: number, bars: number): number {
  if (greatest === least) return 0
  return Math.min(bars - 1, Math.floor(((value / 2 - least / 2) / (greatest / 2 - least / 2)) * bars))
}

function hasIntegers({ read }: Attribute, count: number): boolean {
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (typeof value === 'number' && !Number.isInteger(value)) return false
  }
  return true
}
