import { formatNumber, text } from '../text/index.ts'
import type { LegendRow } from './picture.ts'
import { type Legend, OTHER } from './scales.ts'

/** Returns the rows of a legend for pictures: the same as `Legends` shows, without values of which none is shown. */
export function legendRows(legends: Record<'colour' | 'edgeColour' | 'size' | 'edgeSize', Legend | undefined>) {
  const { colour, edgeColour, size, edgeSize } = legends
  const range = (legend: Legend | undefined, say: (title: string, least: string, greatest: string) => string) =>
    legend?.range
      ? [{ text: say(legend.title, formatNumber(legend.range.least), formatNumber(legend.range.greatest)) }]
      : []
  return [
    ...(colour ? rowsOf(colour, colour.title) : []),
    ...(edgeColour ? rowsOf(edgeColour, text.legend.edges(edgeColour.title)) : []),
    ...range(size, text.legend.size),
    ...range(edgeSize, text.legend.edgeSize)
  ]
}

function rowsOf({ kinds = [], others = 0, range }: Legend, title: string): LegendRow[] {
  const rows: LegendRow[] = [{ text: title, isTitle: true }]
  for (const { value, colour, count, shown = count } of kinds) {
    if (shown > 0) rows.push({ text: `${value.trim() ? value : text.legend.blank} ${countOf(shown, count)}`, colour })
  }
  if (others > 0) rows.push({ text: text.legend.others(formatNumber(others)), colour: OTHER })
  if (range?.ramp)
    rows.push(
      { text: '', ramp: range.ramp },
      { text: text.legend.range(formatNumber(range.least), formatNumber(range.greatest)) }
    )
  return rows
}

/** The number of elements with a value, and of those that are shown if these are fewer. */
export function countOf(shown: number, count: number): string {
  return shown === count
    ? text.legend.count(formatNumber(count))
    : text.legend.shown(formatNumber(shown), formatNumber(count))
}
