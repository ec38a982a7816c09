import { mixed, rampAt } from './mixing.ts'
import type { ScaleName } from './number-scales.ts'
import { categoricalNamed, OTHER, palette, rampNamed } from './palettes.ts'

/** The style of the values of an attribute. Values are arbitrary text, so the objects must be read through `entriesOf`. */
export interface ValueStyle {
  palette?: string | undefined
  /** Two or three colours that take precedence over the palette. */
  gradient?: readonly string[] | undefined
  scale?: ScaleName | undefined
  colours?: Record<string, string> | undefined
  /** The colours that a palette gave to values before. `colours` takes precedence. */
  paletteColours?: Record<string, string> | undefined
  names?: Record<string, string> | undefined
  order?: readonly string[] | undefined
  /** Shapes or line styles. */
  marks?: Record<string, string> | undefined
}

/** Returns the entries of an object whose keys are arbitrary text, including `__proto__`. */
export function entriesOf<T>(object: Record<string, T> | undefined): Map<string, T> {
  return new Map(Object.entries(object ?? {}))
}

/** The maximum number of values that a ramp distinguishes. */
const MOST_STEPS = 12

/** The maximum number of values that have a colour, most of them a muted one. */
const MOST_MUTED = 100

/** Returns the entries in ascending order if all their texts are numbers, or else in the given order. */
export function byNumber<T>(entries: T[], textOf: (entry: T) => string): T[] {
  const areNumbers = entries.map(textOf).every((text) => text.trim() !== '' && Number.isFinite(Number(text)))
  return areNumbers ? entries.toSorted((one, other) => Number(textOf(one)) - Number(textOf(other))) : entries
}

/** Returns the values with those of `order` first. */
export function inOrder(values: [value: string, count: number][], order: readonly string[] = []) {
  if (order.length === 0) return values
  const ranks = new Map(order.map((value, rank) => [value, rank]))
  const rankOf = ([value]: [string, number]) => ranks.get(value) ?? order.length
  return values.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/**
 * Returns the colours of the values, and the values to list in a legend. A value has the colour that the style gives to it, or
 * itself if all values are colours, or else the next colour of the palette that the style does not use. Values beyond the palette
 * share muted colours, which only tell neighbouring groups apart and are not listed, unless there are too many of them.
 */
export function coloursOf(values: string[], hexOf: (value: string) => string | undefined, style: ValueStyle) {
  const [chosen, kept] = [entriesOf(style.colours), entriesOf(style.paletteColours)]
  const given = new Map([...kept, ...chosen])
  const own = ownColours(values, hexOf)
  const steps = Math.min(MOST_STEPS, values.length)
  const stops = style.gradient ?? rampNamed(style.palette)
  const all = stops
    ? Array.from({ length: steps }, (_, step) => rampAt(stops, steps > 1 ? step / (steps - 1) : 0.5))
    : (categoricalNamed(style.palette) ?? palette)
  const used = new Set(values.flatMap((value) => [chosen, kept].map((colours) => colours.get(value)?.toLowerCase())))
  const free = all.filter((colour) => !used.has(colour))
  const muted = stops || values.length > MOST_MUTED ? [] : all.map((colour) => mixed(colour, OTHER, 0.5))
  const [colours, listed] = [new Map(own), new Set<string>()]
  for (const [rank, value] of values.entries()) {
    const colour = given.get(value) ?? own?.get(value) ?? free.shift()
    const shown = colour ?? muted[rank % muted.length]
    if (shown !== undefined) colours.set(value, shown)
    if (given.has(value) || (own ? rank < palette.length : colour !== undefined)) listed.add(value)
  }
  return { colours, listed }
}

/** Returns the values as colours if all of them are colours. */
function ownColours(values: string[], hexOf: (value: string) => string | undefined): Map<string, string> | undefined {
  const colours = new Map<string, string>()
  for (const value of values) {
    const colour = hexOf(value)
    if (colour === undefined) return undefined
    colours.set(value, colour)
  }
  return colours
}
