import { numberFormat } from '../model/attributes.ts'
import { type Legend, OTHER } from '../model/scales.ts'
import type { LineStyle, Shape } from '../model/shapes.ts'
import type { LegendRow } from './picture.ts'

/** The words used in legends, in one language. */
export interface LegendWords {
  blank: string
  count(count: string): string
  shown(shown: string, count: string): string
  edges(title: string): string
  size(title: string, least: string, greatest: string): string
  edgeSize(title: string, least: string, greatest: string): string
  others(count: string): string
  range(least: string, greatest: string): string
}

/**
 * Returns the rows of a picture's legend, using these words. The rows match those of the `Legends` component, except that
 * values whose elements are all hidden are omitted.
 */
export function legendRows(
  legends: Partial<Record<'colour' | 'edgeColour' | 'size' | 'edgeSize', Legend | undefined>>,
  words: LegendWords,
  formatNumber: (value: number) => string
): LegendRow[] {
  const { colour, edgeColour, size, edgeSize } = legends
  const range = (legend: Legend | undefined, say: (title: string, least: string, greatest: string) => string) => {
    if (!legend?.range) return []
    const format = numberFormat(legend.range, formatNumber)
    return [{ text: say(legend.title, format(legend.range.least), format(legend.range.greatest)) }]
  }
  return [
    ...(colour ? rowsOf(colour, colour.title, 'shape', words, formatNumber) : []),
    ...(edgeColour ? rowsOf(edgeColour, words.edges(edgeColour.title), 'line', words, formatNumber) : []),
    ...range(size, words.size),
    ...range(edgeSize, words.edgeSize)
  ]
}

function rowsOf(
  { kinds = [], others = 0, range }: Legend,
  title: string,
  markedBy: 'shape' | 'line',
  words: LegendWords,
  formatNumber: (value: number) => string
): LegendRow[] {
  const rows: LegendRow[] = [{ text: title, isTitle: true }]
  for (const { value, name = value.trim() ? value : words.blank, colour, mark, count, shown = count } of kinds) {
    if (shown === 0) continue
    const text = `${name} ${countOf(shown, count, words, formatNumber)}`
    rows.push({ text, colour, ...(mark !== undefined && { [markedBy]: mark as Shape & LineStyle }) })
  }
  if (others > 0) rows.push({ text: words.others(formatNumber(others)), colour: OTHER })
  if (range?.ramp) {
    const format = numberFormat(range, formatNumber)
    rows.push({ text: '', ramp: range.ramp }, { text: words.range(format(range.least), format(range.greatest)) })
  }
  return rows
}

/** Formats the number of elements that have a value, and the number of those shown if some are hidden. */
export function countOf(
  shown: number,
  count: number,
  words: Pick<LegendWords, 'count' | 'shown'>,
  formatNumber: (value: number) => string
): string {
  return shown === count ? words.count(formatNumber(count)) : words.shown(formatNumber(shown), formatNumber(count))
}
