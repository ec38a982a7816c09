import type { ViewStyle } from '../../schemas/style.ts'
import { type FormatNumber, textOf } from '../model/formatting.ts'
import type { WrittenFormat } from '../model/number-formats.ts'
import { OTHER } from '../model/palettes.ts'
import type { Legend, LegendKind } from '../model/scales.ts'
import type { LineStyle, Shape } from '../model/shapes.ts'
import { entriesOf } from '../model/value-colours.ts'
import type { LegendRow } from './picture.ts'

/** The words used in legends, in one language. */
export interface LegendWords {
  blank: string
  missing: string
  count(count: string): string
  shown(shown: string, count: string): string
  edges(title: string): string
  size(title: string): string
  edgeSize(title: string): string
  others(count: string): string
  range(least: string, greatest: string): string
  /** Says how the colours between the ends of a range follow from the numbers. */
  scales: Record<'log' | 'rank', string>
}

/** The parts of a legend, in order. */
export const legendParts = ['colour', 'edgeColour', 'size', 'edgeSize'] as const
export type LegendPart = (typeof legendParts)[number]

/**
 * Returns the rows of a picture's legend, using these words. The rows match those of the `Legends` component, except that
 * values whose elements are all hidden are omitted. `scale` is the factor by which the picture scales the sizes of nodes.
 */
export function legendRows(
  legends: Partial<Record<LegendPart, Legend | undefined>>,
  style: ViewStyle | undefined,
  words: LegendWords,
  formatNumber: FormatNumber,
  scale: number
): LegendRow[] {
  return legendParts.flatMap((part) => {
    const legend = legends[part]
    if (!legend) return []
    const title = { text: titleOfPart(part, legend, style, words), isTitle: true }
    const { samples = [], format } = legend
    if (part === 'colour' || part === 'edgeColour') {
      const markedBy = part === 'colour' ? 'shape' : 'line'
      return [title, ...rowsOf(legend, markedBy, style?.legend?.counts ?? true, words, formatNumber)]
    }
    const sampleOf = (size: number) => (part === 'size' ? { disc: size * scale } : { stroke: size })
    const textOfSample = (value: number | undefined) =>
      value === undefined ? words.missing : formatNumber(value, format)
    return [title, ...samples.map(({ value, size }) => ({ text: textOfSample(value), ...sampleOf(size) }))]
  })
}

/** Returns the nodes or edges that a part of a legend describes. */
export function elementsOf(part: LegendPart) {
  return part === 'colour' || part === 'size' ? 'nodes' : 'edges'
}

/** Returns the title of a part of a legend: the one that the style gives to its attribute, or else the usual one. */
export function titleOfPart(
  part: LegendPart,
  { key, title }: Legend,
  style: ViewStyle | undefined,
  words: Pick<LegendWords, 'edges' | 'size' | 'edgeSize'>
): string {
  const own = entriesOf(style?.[elementsOf(part)]?.titles).get(key)?.trim()
  if (own) return own
  if (part === 'colour') return title
  return words[part === 'edgeColour' ? 'edges' : part](title)
}

function rowsOf(
  { kinds = [], missing, others = 0, othersColour: colour, range, format }: Legend,
  markedBy: 'shape' | 'line',
  hasCounts: boolean,
  words: LegendWords,
  formatNumber: FormatNumber
): LegendRow[] {
  const rows: LegendRow[] = []
  const counted = (name: string, shown: number, count: number) =>
    hasCounts ? `${name} ${countOf(shown, count, words, formatNumber)}` : name
  for (const kind of kinds) {
    const { mark, count, shown = count } = kind
    if (shown === 0) continue
    const text = counted(nameOfKind(kind, format, words, formatNumber), shown, count)
    rows.push({ text, colour: kind.colour, ...(mark !== undefined && { [markedBy]: mark as Shape & LineStyle }) })
  }
  if (others > 0) rows.push({ text: words.others(formatNumber(others)), ...(colour !== undefined && { colour }) })
  if (range?.ramp) {
    const ends = words.range(...endsOf(range, format, formatNumber))
    rows.push({ text: '', ramp: range.ramp }, { text: range.scale ? `${ends} (${words.scales[range.scale]})` : ends })
  }
  const { count = 0, shown = count } = missing ?? {}
  if (shown > 0) rows.push({ text: counted(words.missing, shown, count), colour: OTHER })
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
