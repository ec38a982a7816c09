import { type Attribute, rangeOf, type Value, valuesOf } from './attributes.ts'
import { rampAt } from './mixing.ts'
import type { WrittenFormat } from './number-formats.ts'
import { numberScale, type ScaleName } from './number-scales.ts'
import { isDiverging, OTHER, ramp, rampNamed } from './palettes.ts'
import { type Kind, type Part, styleNames } from './styles.ts'
import { byNumber, coloursOf, entriesOf, inOrder, type ValueStyle } from './value-colours.ts'
import { withUsualWeight } from './weights.ts'

/** A value shown in a legend. */
export interface LegendKind {
  value: string
  /** The name that the style gives to the value. */
  name?: string
  colour: string
  /** The shape or line style that the style gives to the value. */
  mark?: string
  count: number
  /** The number of elements that are not hidden by a filter. Defaults to `count`. */
  shown?: number
}

/** The entries of a legend: either values with their colours, or a range. */
export interface Legend {
  /** The key of the attribute. */
  key: string
  title: string
  /** The format of the attribute's numbers, if it has one. */
  format?: WrittenFormat
  kinds?: LegendKind[]
  /** The elements that have no value, and how many of them no filter hides, if there are any. */
  missing?: Pick<LegendKind, 'count' | 'shown'>
  /** The number of values that are not listed. */
  others?: number
  /** The colour of the other values if they share one. */
  othersColour?: string
  range?: { least: number; greatest: number; ramp?: readonly string[]; scale?: 'log' | 'rank' }
  /**
   * The sizes of some numbers, largest first, and then of the elements without a value if there are any: radii of nodes, or widths
   * of edges.
   */
  samples?: { value: number | undefined; size: number }[]
}

export interface ColourScale {
  colourOf(index: number): string
  /** Returns the shape or line style that the style gives to an element's value. */
  markOf?(index: number): string | undefined
  legend: Legend
}

interface SizeScale {
  sizeOf(index: number): number
  /** Undefined if all sizes are the same. */
  legend: Legend | undefined
}

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

/** Returns the scale of an attribute's colours: the chosen one for numbers, or the default. */
export function scaleOf(attribute: Attribute, count: number, chosen?: ScaleName): ScaleName {
  if (attribute.isNumber && chosen) return chosen
  return hasKinds(attribute, count) ? 'categories' : 'linear'
}

/**
 * Returns a scale that assigns each value a colour from the palette or the ramp, or the colour that the style gives to it. If
 * `hexOf` recognises all values as colours, they are used directly.
 */
export function colourScale(
  attribute: Attribute,
  count: number,
  hexOf: (value: string) => string | undefined,
  style: ValueStyle = {}
): ColourScale {
  const { read } = attribute
  const scale = scaleOf(attribute, count, style.scale)
  if (scale === 'categories') {
    const values = inOrder(valuesOf(attribute, count), style.order)
    const known = coloursOf(
      values.map(([value]) => value),
      hexOf,
      style
    )
    const [names, marks] = [entriesOf(style.names), entriesOf(style.marks)]
    const find = (found: ReadonlyMap<string, string>, index: number) => {
      const value = read(index)
      return value === undefined ? undefined : found.get(String(value))
    }
    const listed = values.filter(([value]) => known.listed.has(value))
    const shown = inOrder(
      byNumber(listed, ([value]) => value),
      style.order
    )
    return {
      colourOf: (index) => find(known.colours, index) ?? OTHER,
      ...(marks.size > 0 && { markOf: (index) => find(marks, index) }),
      legend: {
        ...headOf(attribute),
        ...missingOf(attribute, count),
        kinds: shown.map(([value, count]) => {
          const [name, mark] = [names.get(value), marks.get(value)]
          const colour = known.colours.get(value) ?? OTHER
          return { value, count, colour, ...(name?.trim() && { name }), ...(mark !== undefined && { mark }) }
        }),
        others: values.length - shown.length,
        ...(values.some(([value]) => !known.colours.has(value)) && { othersColour: OTHER })
      }
    }
  }
  const { gradient, palette } = style
  const colours = gradient ?? rampNamed(palette) ?? ramp
  const hasMiddle = gradient ? gradient.length === 3 : isDiverging(palette)
  const { least, greatest, placeOf } = numberScale(attribute, count, scale, hasMiddle)
  return {
    colourOf: (index) => {
      const value = read(index)
      return typeof value === 'number' ? rampAt(colours, placeOf(value)) : OTHER
    },
    legend: {
      ...headOf(attribute),
      ...missingOf(attribute, count),
      range: { least, greatest, ramp: colours, ...(scale !== 'linear' && { scale }) }
    }
  }
}

function headOf({ key, title, format }: Attribute): Legend {
  return { key, title, ...(format && { format }) }
}

function missingOf({ read }: Attribute, length: number): Pick<Legend, 'missing'> {
  let count = 0
  for (let index = 0; index < length; index++) if (read(index) === undefined) count++
  return count > 0 ? { missing: { count } } : {}
}

/**
 * Returns a scale from numbers to diameters between `smallest` and `largest`. Diameters grow with the square root, so that
 * areas grow roughly with the numbers, or with another power. Other values get the smallest diameter.
 */
export function sizeScale(
  attribute: Attribute,
  count: number,
  smallest: number,
  largest: number,
  power = 0.5
): SizeScale {
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  const sizeOf = (value: number) =>
    greatest === least ? smallest : smallest + (largest - smallest) * ((value - least) / (greatest - least)) ** power
  return sizesBy(attribute, count, [least, greatest], sizeOf, smallest)
}

/** Returns the scale of an attribute with these bounds. `other` is the size of elements without a number. */
function sizesBy(
  attribute: Attribute,
  count: number,
  [least, greatest]: [number, number],
  sizeOf: (value: number) => number,
  other: number
): SizeScale {
  const numbers = sizeOf(greatest) > LARGE ? [greatest, least] : [greatest, middleOf(least, greatest), least]
  const samples: Legend['samples'] = [...new Set(numbers)].map((value) => ({ value, size: sizeOf(value) }))
  if (missingOf(attribute, count).missing) samples.push({ value: undefined, size: other })
  return {
    sizeOf: (index) => {
      const value = attribute.read(index)
      return typeof value === 'number' ? sizeOf(value) : other
    },
    legend: least < greatest ? { ...headOf(attribute), range: { least, greatest }, samples } : undefined
  }
}

/** Legends have a sample of the middle size only if the largest size is at most this one, in pixels. */
const LARGE = 24

/** Returns a round number near the middle of a range: an integer between integers, or the greater end if no round one fits. */
function middleOf(least: number, greatest: number): number {
  const areWhole = Number.isInteger(least) && Number.isInteger(greatest)
  const step = Math.max(10 ** Math.round(Math.log10((greatest - least) / 4)), areWhole ? 1 : 0)
  const middle = Number((Math.round((least + greatest) / 2 / step) * step).toPrecision(12))
  return least < middle && middle < greatest ? middle : greatest
}

/** Returns the size of the smallest node in pixels, which decreases with the number of nodes. */
function smallestOf(count: number) {
  return Math.max(1.2, Math.min(6, 60 / Math.sqrt(count)))
}

/** A range of diameters or widths, in pixels. */
export interface Range {
  least: number
  greatest: number
}

/** Returns the range of diameters of this number of nodes by an attribute, unless a style sets another. */
export function usualDiameters(count: number): Range {
  return { least: smallestOf(count) * 2, greatest: smallestOf(count) * 7 }
}

/** The range of widths of edges by an attribute, unless a style sets another. */
export const usualWidths: Range = { least: 0.8, greatest: 6 }

/** Returns the range of the sizes of this many elements, to a tenth of a pixel. */
export function drawnRange(sizeOf: (index: number) => number, count: number): Range {
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0]
  for (let index = 0; index < count; index++) {
    const size = sizeOf(index)
    if (size < least) least = size
    if (size > greatest) greatest = size
  }
  return { least: tenths(Math.min(least, greatest)), greatest: tenths(greatest) }
}

/** Returns a range whose middle is this size, with the proportions of another range, as far as the bounds allow. */
export function rangeAround(size: number, { least, greatest }: Range, [smallest, largest]: [number, number]): Range {
  const part = Math.abs(greatest - least) / (least + greatest)
  const half = tenths(Math.min(size * part, size - smallest, largest - size))
  return { least: tenths(size - half), greatest: tenths(size + half) }
}

function tenths(size: number) {
  return Math.round(size * 10) / 10
}

/** Returns node radii in pixels, as determined by an attribute, in the range of diameters if there is one. */
export function nodeSizes(attribute: Attribute, count: number, range?: Range): SizeScale {
  const areOwn = isOwn('node', 'size', attribute)
  if (range) return sizeScale(attribute, count, range.least / 2, range.greatest / 2, areOwn ? 1 : undefined)
  if (areOwn) return ownSizes(attribute, count, usualNodeSize(count), smallestOf(count) / 2)
  return sizeScale(attribute, count, smallestOf(count), smallestOf(count) * 3.5)
}

/** Returns the widths of edges by an attribute, in pixels, in the range if there is one. Edges without a weight have weight 1. */
export function edgeSizes(sizing: Attribute, count: number, range?: Range): SizeScale {
  const attribute = withUsualWeight(sizing)
  const areOwn = isOwn('edge', 'thickness', attribute)
  if (range) return sizeScale(attribute, count, range.least, range.greatest, areOwn ? 1 : undefined)
  if (areOwn) return ownSizes(attribute, count, usualEdgeSize(count), 0.5)
  return sizeScale(attribute, count, usualWidths.least, usualWidths.greatest)
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
  const sizeOf = (value: number) => Math.min(Math.max(value * scale, smallest), usual * LARGEST)
  return sizesBy(attribute, count, rangeOf(attribute, count) ?? [0, 0], sizeOf, usual)
}

/** Returns the radius of all of this number of nodes if no attribute determines it, in pixels. */
export function usualNodeSize(count: number, range?: Range): number {
  return range ? (range.least + range.greatest) / 4 : smallestOf(count) * 1.5
}

/** Returns the width of all of this number of edges if no attribute determines it, in pixels. */
export function usualEdgeSize(count: number, range?: Range): number {
  if (range) return (range.least + range.greatest) / 2
  return count > 1000 ? 1 : 1.4
}
