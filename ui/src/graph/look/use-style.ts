import type { Elements } from '../../../../picture/filter/filters.ts'
import type { NumberFormat } from '../../../../picture/model/number-formats.ts'
import type { ScaleName } from '../../../../picture/model/number-scales.ts'
import type { Legend } from '../../../../picture/model/scales.ts'
import { tidyStyle } from '../view/style-address.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { entry, paletteColoursIn, type StylePart, type ValueChange, withPart, withValue } from './value-style.ts'

/**
 * Returns functions that change the style of a view. A change to the style of values also puts the attribute that they belong to
 * in the address, because another attribute may become the default.
 */
export function useStyle({ view, look, change }: GraphViewState) {
  const { style } = view
  const keys = { nodes: { colour: look.colour?.key }, edges: { edgeColour: look.edgeColour?.key } }
  return {
    style,
    set: (part: StylePart, changes: object) => change({ style: withPart(style, part, changes) }),
    setBackground: (background: string | undefined) => change({ style: tidyStyle({ ...style, background }) }),
    setValue: (of: Elements, legend: Legend, value: string, changes: ValueChange) =>
      change({ style: withValue(style, of, legend, value, changes), ...keys[of] }),
    /** Chooses a palette. `legend` has its colours, which the values keep. Colours that the user set remain. */
    setPalette: (of: Elements, palette: string | undefined, legend: Legend) =>
      change({
        style: withPart(style, of, {
          palette,
          gradient: undefined,
          paletteColours: palette && paletteColoursIn(legend, style?.[of]?.colours)
        }),
        ...keys[of]
      }),
    /** Chooses the colours of the ends, and optionally of the middle, of the numbers. */
    setGradient: (of: Elements, gradient: readonly string[]) =>
      change({ style: withPart(style, of, { palette: undefined, paletteColours: undefined, gradient }), ...keys[of] }),
    /** Chooses the scale of the colours of numbers. An undefined one stands for the default. */
    setScale: (of: Elements, scale: ScaleName | undefined) =>
      change({ style: withPart(style, of, { scale }), ...keys[of] }),
    /** Sets the number format of an attribute. An empty one stands for the default. */
    setFormat: (of: Elements, attribute: string, format: NumberFormat | '') =>
      change({ style: withPart(style, of, { formats: entry(style?.[of]?.formats, attribute, format) }) }),
    /** Sets the title of an attribute in the legend. An empty one stands for the default. */
    setTitle: (of: Elements, attribute: string, title: string) =>
      change({ style: withPart(style, of, { titles: entry(style?.[of]?.titles, attribute, title) }) }),
    reset: () => change({ style: undefined })
  }
}
