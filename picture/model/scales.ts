import { type Attribute, rangeOf, type Value, valuesOf } from './attributes.ts'
import { type Kind, type Part, styleNames } from './styles.ts'

/** A value shown in a legend. */
export interface LegendKind {
  value: string
  colour: string
  count: number
  /** The number of elements that are not hidden by a filter. Defaults to `count`. */
  shown?: number
}

/** The entries of a legend: either values with their colours, or a range. */
export interface Legend {
  title: string
  kinds?: LegendKind[]
  /** The number of values that share the colour `OTHER`. */
  others?: number
  range?: { least: number; greatest: number; ramp?: readonly string[]; isYear?: boolean }
}

export interface ColourScale {
  colourOf(index: number): string
  legend: Legend
}

interface SizeScale {
  sizeOf(index: number): number
  legend: Legend
}

/**
 * Nine colours that are distinguishable on white and on near-black backgrounds, based on Tableau 10. Grey is reserved for other
 * values.
 */
export const palette = [
  '#3b78c2',
  '#f0811f',
  '#d9484a',
  '#2ca6a4',
  '#4c9f38',
  '#c99a06',
  '#a45fa8',
  '#f2708f',
  '#8c6248'
] as const

/** The colour of missing and rare values. */
export const OTHER = '#9aa3ab'

/** A perceptually uniform colour ramp that also works in greyscale, based on viridis. */
export const ramp = ['#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39'] as const

/** An attribute whose values are integers, such as group numbers, is categorical if it has at most this many distinct values. */
const KINDS_AT_MOST = 12

/** Returns whether the attribute is categorical. */
export function hasKinds(attribute: Attribute, count: number) {
  if (!attribute.isNumber) return true
  if (attribute.isAmount) return false
  const values = new Set<Value>()
  for (let index = 0; index < count && values.size <= KINDS_AT_MOST; index++) {
    const value = attribute.read(index)
    if (value === undefined) continue
    if (!Number.isInteger(value)) return false
    values.add(value)
  }
  return values.size <= KINDS_AT_MOST
}

/**
 * Returns a scale that assigns each value a colour from the palette or the ramp. If `hexOf` recognises all values as colours,
 * they are used directly.
 */
export function colourScale(
  attribute: Attribute,
  count: number,
  hexOf: (value: string) => string | undefined
): ColourScale {
  const { title, read, isYear } = attribute
  if (hasKinds(attribute, count)) {
    const values = valuesOf(attribute, count)
    const known = coloursOf(
      values.map(([value]) => value),
      hexOf
    )
    return {
      colourOf: (index) => known.get(String(read(index))) ?? OTHER,
      legend: {
        title,
        kinds: values
          .slice(0, palette.length)
          .map(([value, count]) => ({ value, count, colour: known.get(value) ?? OTHER })),
        others: Math.max(0, values.length - palette.length)
      }
    }
  }
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  return {
    colourOf: (index) => {
      const value = read(index)
      return typeof value === 'number' ? rampAt(greatest > least ? (value - least) / (greatest - least) : 0.5) : OTHER
    },
    legend: { title, range: { least, greatest, ramp, ...(isYear && { isYear }) } }
  }
}

/** Returns the values themselves if all of them are colours. Otherwise, assigns the palette to the most frequent values. */
function coloursOf(values: string[], hexOf: (value: string) => string | undefined): Map<string, string> {
  const colours = new Map<string, string>()
  for (const value of values) {
    const colour = hexOf(value)
    if (colour === undefined) {
      return new Map(values.slice(0, palette.length).map((value, index) => [value, palette[index] as string]))
    }
    colours.set(value, colour)
  }
  return colours
}

/**
 * Returns a scale from numbers to diameters between `smallest` and `largest`. Diameters grow with the square root, so that
 * areas grow roughly with the numbers. Other values get the smallest diameter.
 */
export function sizeScale(attribute: Attribute, count: number, smallest: number, largest: number): SizeScale {
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  return {
    sizeOf: (index) => {
      const value = attribute.read(index)
      if (typeof value !== 'number' || greatest === least) return smallest
      return smallest + (largest - smallest) * Math.sqrt((value - least) / (greatest - least))
    },
    legend: { title: attribute.title, range: { least, greatest, ...(attribute.isYear && { isYear: true }) } }
  }
}

/** Returns the size of the smallest node in pixels, which decreases with the number of nodes. */
function smallestOf(count: number) {
  return Math.max(1.2, Math.min(6, 60 / Math.sqrt(count)))
}

/** Returns node sizes in pixels, as determined by an attribute. */
export function nodeSizes(attribute: Attribute, count: number): SizeScale {
  if (isOwn('node', 'size', attribute)) return ownSizes(attribute, count, usualNodeSize(count), smallestOf(count) / 2)
  return sizeScale(attribute, count, smallestOf(count), smallestOf(count) * 3.5)
}

/** Returns the sizes of edges by an attribute, in pixels. */
export function edgeSizes(attribute: Attribute, count: number): SizeScale {
  if (isOwn('edge', 'thickness', attribute)) return ownSizes(attribute, count, usualEdgeSize(count), 0.5)
  return sizeScale(attribute, count, 0.8, 6)
}

/** Returns whether the attribute is the elements' own style. */
function isOwn(kind: Kind, part: Part, { key, isNumber }: Attribute) {
  return isNumber && styleNames[kind][part]?.some((name) => key === `metadata.${name}`)
}

/** The maximum size of an element, as a multiple of the mean. */
const LARGEST = 5

/** Returns the elements' own sizes, scaled so that their mean is the usual size. */
function ownSizes(attribute: Attribute, count: number, usual: number, smallest: number): SizeScale {
  let [sum, sized] = [0, 0]
  for (let index = 0; index < count; index++) {
    const value = attribute.read(index)
    if (typeof value !== 'number') continue
    sum += value
    sized++
  }
  const scale = sum > 0 ? usual / (sum / sized) : 1
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  return {
    sizeOf: (index) => {
      const value = attribute.read(index)
      return typeof value === 'number' ? Math.min(Math.max(value * scale, smallest), usual * LARGEST) : usual
    },
    legend: { title: attribute.title, range: { least, greatest } }
  }
}

/** Returns the default node size for this number of nodes, in pixels. */
export function usualNodeSize(count: number): number {
  return smallestOf(count) * 1.5
}

/** Returns the default edge size for this number of edges, in pixels. */
export function usualEdgeSize(count: number): number {
  return count > 1000 ? 1 : 1.4
}

/** Returns the colour at a position on the ramp, from 0 to 1. */
function rampAt(place: number): string {
  const position = Math.min(Math.max(place, 0), 1) * (ramp.length - 1)
  const index = Math.min(Math.floor(position), ramp.length - 2)
  return mixed(ramp[index] as string, ramp[index + 1] as string, position - index)
}

/** Interpolates between two colours (`#rrggbb`). `position` is between 0 and 1. */
export function mixed(one: string, other: string, position: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const between = from.map((channel, i) => Math.round(channel + ((to[i] as number) - channel) * position))
  return `#${between.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Returns the sum of the channel differences of two colours (`#rrggbb`), up to 765. */
export function differenceOf(one: string, other: string): number {
  const channels = channelsOf(other)
  return channelsOf(one).reduce((sum, channel, i) => sum + Math.abs(channel - (channels[i] as number)), 0)
}

function channelsOf(colour: string) {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}
