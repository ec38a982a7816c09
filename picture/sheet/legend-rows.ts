import { type FormatNumber, textOf } from '../model/formatting.ts'
import type { WrittenFormat } from '../model/number-formats.ts'
import type { Legend, LegendKind } from '../model/scales.ts'
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
  /** Says how the colours between the ends of a range follow from the numbers. */
  scales: Record<'log' | 'rank', string>
}

/**
 * Returns the rows of a picture's legend, using these words. The rows match those of the `Legends` component, except that
 * values whose elements are all hidden are omitted.
 */
export function legendRows(
  legends: Partial<Record<'colour' | 'edgeColour' | 'size' | 'edgeSize', Legend | undefined>>,
  words: LegendWords,
  formatNumber: FormatNumber
): LegendRow[] {
  const { colour, edgeColour, size, edgeSize } = legends
  const range = (legend: Legend | undefined, say: (title: string, least: string, greatest: string) => string) => {
    if (!legend?.range) return []
    return [{ text: say(legend.title, ...endsOf(legend.range, legend.format, formatNumber)) }]
  }
  return [
    ...(colour ? rowsOf(colour, colour.title, 'shape', words, formatNumber) : []),
    ...(edgeColour ? rowsOf(edgeColour, words.edges(edgeColour.title), 'line', words, formatNumber) : []),
    ...range(size, words.size),
    ...range(edgeSize, words.edgeSize)
  ]
}

function rowsOf(
  { kinds = [], others = 0, othersColour: colour, range, format }: Legend,
  title: string,
  markedBy: 'shape' | 'line',
  words: LegendWords,
  formatNumber: FormatNumber
): LegendRow[] {
  const rows: LegendRow[] = [{ text: title, isTitle: true }]
  for (const kind of kinds) {
    const { mark, count, shown = count } = kind
    if (shown === 0) continue
    const text = `${nameOfKind(kind, format, words, formatNumber)} ${countOf(shown, count, words, formatNumber)}`
    rows.push({ text, colour: kind.colour, ...(mark !== undefined && { [markedBy]: mark as Shape & LineStyle }) })
  }
  if (others > 0) rows.push({ text: words.others(formatNumber(others)), ...(colour !== undefined && { colour }) })
  if (range?.ramp) {
    const ends = words.range(...endsOf(range, format, formatNumber))
    rows.push({ text: '', ramp: range.ramp }, { text: range.scale ? `${ends} (${words.scales[range.scale]})` : ends })
  }
  return rows
}

/** Returns the name of a value in a legend. */
export function nameOfKind(
  { value, name }: Pick<LegendKind, 'value' | 'name'>,
  format: WrittenFormat | undefined,
  words: Pick<LegendWords, 'blank'>,
  formatNumber: FormatNumber
): string {
  return name ?? (value.trim() ? textOf(value, format, formatNumber) : words.blank)
}

/** Formats both ends of a range. */
export function endsOf(
  { least, greatest }: NonNullable<Legend['range']>,
  format: WrittenFormat | undefined,
  formatNumber: FormatNumber
): [least: string, greatest: string] {
  return [formatNumber(least, format), formatNumber(greatest, format)]
}

/** Formats the number of elements that have a value, and the number of those shown if some are hidden. */
export function countOf(
  shown: number,
  count: number,
  words: Pick<LegendWords, 'count' | 'shown'>,
  formatNumber: FormatNumber
): string {
  return shown === count ? words.count(formatNumber(count)) : words.shown(formatNumber(shown), formatNumber(count))
}
