import { type Attribute, rangeOf, type Value, valuesOf } from './attributes.ts'

/** A value in a legend. */
export interface LegendKind {
  value: string
  colour: string
  count: number
  /** The number of those that no filter hides; all of them by default. */
  shown?: number
}

/** The entries of a legend: values with their colours, or a range. */
export interface Legend {
  title: string
  kinds?: LegendKind[]
  /** The number of values that share the colour of the others. */
  others?: number
  range?: { least: number; greatest: number; ramp?: readonly string[] }
}

export interface ColourScale {
  colourOf(index: number): string
  legend: Legend
}

interface SizeScale {
  sizeOf(index: number): number
  legend: Legend
}

/** Nine distinguishable colours on white and on near black, after Tableau 10. None is grey, which is the colour of the others. */
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

/** A perceptually even ramp, which also works without colours, after viridis. */
export const ramp = ['#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39'] as const

/** Up to this number of different integers, an attribute is categorical, such as group numbers. */
const KINDS_AT_MOST = 12

/** Whether the attribute is categorical. */
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

/** A colour for every value, from the palette or the ramp. Values that are colours, according to `hexOf`, stand for themselves. */
export function colourScale(
  attribute: Attribute,
  count: number,
  hexOf: (value: string) => string | undefined
): ColourScale {
  const { title, read } = attribute
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
    legend: { title, range: { least, greatest, ramp } }
  }
}

/** The values' own colours, if all values are colours; else the palette for the most frequent ones. */
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

/** A size for every number, from `smallest` to `largest` in diameter, with proportional areas. Other values get the smallest. */
export function sizeScale(attribute: Attribute, count: number, smallest: number, largest: number): SizeScale {
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  return {
    sizeOf: (index) => {
      const value = attribute.read(index)
      if (typeof value !== 'number' || greatest === least) return smallest
      return smallest + (largest - smallest) * Math.sqrt((value - least) / (greatest - least))
    },
    legend: { title: attribute.title, range: { least, greatest } }
  }
}

/** The size of the smallest node, in pixels: the more nodes, the smaller. */
function smallestOf(count: number) {
  return Math.max(1.2, Math.min(6, 60 / Math.sqrt(count)))
}

/** The sizes of nodes by an attribute, in pixels. */
export function nodeSizes(attribute: Attribute, count: number): SizeScale {
  return sizeScale(attribute, count, smallestOf(count), smallestOf(count) * 3.5)
}

/** The size of so many nodes without an attribute for it, in pixels. */
export function usualNodeSize(count: number): number {
  return smallestOf(count) * 1.5
}

/** The size of so many edges without an attribute for it, in pixels. */
export function usualEdgeSize(count: number): number {
  return count > 1000 ? 1 : 1.4
}

/** The colour of the ramp at a position from 0 to 1. */
function rampAt(place: number): string {
  const position = Math.min(Math.max(place, 0), 1) * (ramp.length - 1)
  const index = Math.min(Math.floor(position), ramp.length - 2)
  return mixed(ramp[index] as string, ramp[index + 1] as string, position - index)
}

/** Returns the colour between two colours (`#rrggbb`), at a position from 0 to 1. */
export function mixed(one: string, other: string, position: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const between = from.map((channel, i) => Math.round(channel + ((to[i] as number) - channel) * position))
  return `#${between.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The sum of the differences of the channels of two colours (`#rrggbb`), up to 765. */
export function differenceOf(one: string, other: string): number {
  const channels = channelsOf(other)
  return channelsOf(one).reduce((sum, channel, i) => sum + Math.abs(channel - (channels[i] as number)), 0)
}

function channelsOf(colour: string) {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}
