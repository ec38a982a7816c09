import type { ViewStyle } from '../../schemas/style.ts'
import { type Attribute, rangeOf } from './attributes.ts'

/** The way in which colours follow from the values of an attribute. */
export type ScaleName = NonNullable<NonNullable<ViewStyle['nodes']>['scale']>

/** The scales that a style may choose for numbers. */
export const scaleNames = ['linear', 'log', 'rank', 'categories'] as const satisfies ScaleName[]

/** A scale from numbers to places on a ramp. */
interface NumberScale {
  least: number
  greatest: number
  /** Returns the place of a number, from 0 to 1. */
  placeOf(value: number): number
}

/** Returns the scale of an attribute's numbers, on colours that may have a middle. */
export function numberScale(
  attribute: Attribute,
  count: number,
  scale: Exclude<ScaleName, 'categories'>,
  hasMiddle: boolean
): NumberScale {
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  if (scale === 'rank') return { least, greatest, placeOf: ranksOf(attribute, count) }
  if (scale === 'log') {
    const low = Math.log(leastPositive(attribute, count))
    const between = placeBetween(low, Math.log(greatest))
    return { least, greatest, placeOf: (value) => (value > 0 ? between(Math.log(value)) : 0) }
  }
  const bounds = boundsOf([least, greatest], hasMiddle)
  return { least: bounds[0], greatest: bounds[1], placeOf: placeBetween(...bounds) }
}

/** Widens a range on both sides of zero, so that colours with a middle have it at zero. */
function boundsOf([least, greatest]: [number, number], hasMiddle: boolean): [number, number] {
  if (!hasMiddle || least >= 0 || greatest <= 0) return [least, greatest]
  const bound = Math.max(-least, greatest)
  return [-bound, bound]
}

function placeBetween(least: number, greatest: number) {
  return (value: number) => (greatest > least ? (value - least) / (greatest - least) : 0.5)
}

function leastPositive({ read }: Attribute, count: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (typeof value === 'number' && value > 0 && value < least) least = value
  }
  return least
}

/** Returns the ranks of an attribute's numbers, from 0 to 1. Equal numbers share their mean rank. */
function ranksOf({ read }: Attribute, count: number): (value: number) => number {
  const numbers = new Float64Array(count)
  let length = 0
  for (let index = 0; index < count; index++) {
    const value = read(index)
    if (typeof value === 'number') numbers[length++] = value
  }
  const sorted = numbers.subarray(0, length).sort()
  const places = new Map<number, number>()
  for (let from = 0; from < length; ) {
    const value = sorted[from] as number
    let to = from
    while (sorted[to + 1] === value) to++
    places.set(value, length > 1 ? (from + to) / 2 / (length - 1) : 0.5)
    from = to + 1
  }
  return (value) => places.get(value) ?? 0.5
}
