import type { Elements } from '../../../../picture/filter/filters.ts'
import type { Legend } from '../../../../picture/model/scales.ts'
import type { Style } from '../../api.ts'
import { tidyStyle } from '../view/style-address.ts'

export type StylePart = keyof Omit<Style, 'background'>
type OfElements = NonNullable<Style['nodes'] & Style['edges']>

/** The name of the field with the shapes or line styles of values. */
export const marksOf = { nodes: 'shapes', edges: 'lines' } as const

/** The fields that belong to the values of the attribute that colours nodes or edges. */
const OWN = ['palette', 'gradient', 'scale', 'colours', 'paletteColours', 'names', 'order', 'shapes', 'lines'] as const

/** Returns the style with these fields of one part changed. Undefined fields are removed. */
export function withPart(style: Style | undefined, part: StylePart, changes: object): Style | undefined {
  return tidyStyle({ ...style, [part]: { ...style?.[part], ...changes } })
}

/** Returns the colours in a legend, apart from those that the user set. A style with them keeps them when the graph changes. */
export function paletteColoursIn({ kinds = [] }: Legend, colours: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    kinds.filter(({ value }) => !Object.hasOwn(colours, value)).map(({ value, colour }) => [value, colour])
  )
}

/** A change to the style of a value. An empty colour, name or mark removes it. */
export interface ValueChange {
  colour?: string
  name?: string
  mark?: string
  /** The number of places by which to move the value in the legend. */
  move?: number
}

/** Returns the style with a change to one value. The style also keeps the colours that the palette gave to the values. */
export function withValue(
  style: Style | undefined,
  of: Elements,
  legend: Legend,
  value: string,
  { colour, name, mark, move }: ValueChange
): Style | undefined {
  const { colours, paletteColours, names, order, ...own } = (style?.[of] ?? {}) as OfElements
  const marks = own[marksOf[of]]
  const isReset = colour === '' && !Object.hasOwn(paletteColours ?? {}, value)
  return withPart(style, of, {
    colours: entry(colours, value, colour),
    // The palette has a free colour for the value only if it gives the others theirs again.
    paletteColours: isReset ? undefined : { ...paletteColours, ...paletteColoursIn(legend, colours) },
    names: entry(names, value, name),
    [marksOf[of]]: entry(marks, value, mark),
    order:
      move === undefined
        ? order
        : moved(
            (legend.kinds ?? []).map((kind) => kind.value),
            value,
            move
          )
  })
}

/** Returns an object, whose keys are arbitrary text, with a value set, removed if it is empty, or unchanged if undefined. */
export function entry(object: Record<string, string> = {}, key: string, value: string | undefined) {
  if (value === undefined) return object
  return value === ''
    ? Object.fromEntries(Object.entries(object).filter(([other]) => other !== key))
    : { ...object, [key]: value }
}

function moved(values: string[], value: string, by: number): string[] {
  const from = values.indexOf(value)
  const others = values.filter((other) => other !== value)
  return others.toSpliced(Math.max(0, from + by), 0, value)
}

/** The styles of values, by the attributes that have coloured nodes or edges before. */
export type KeptStyles = Map<string, object>

/**
 * Returns the style after another attribute colours nodes or edges. The style of the earlier attribute's values is kept, and
 * that of the new attribute's is restored.
 */
export function withAttribute(
  style: Style | undefined,
  of: Elements,
  { from, to }: { from: string | undefined; to: string | undefined },
  kept: KeptStyles
): Style | undefined {
  const own = (style?.[of] ?? {}) as OfElements
  const parts = OWN.filter((name) => own[name] !== undefined)
  kept.set(`${of} ${from}`, Object.fromEntries(parts.map((name) => [name, own[name]])))
  const none = Object.fromEntries(OWN.map((name) => [name, undefined]))
  return withPart(style, of, { ...none, ...kept.get(`${of} ${to}`) })
}
