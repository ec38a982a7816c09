import type { LegendRow } from './picture.ts'

/** The dimensions of legends in pictures. */
export const LEGEND = { size: 12, row: 18, margin: 12, padding: 10, corner: 8, border: '#9aa3ab' }

/**
 * Returns the positions of a legend's elements in the lower left corner of a picture of this height. Widths are estimates, and
 * all labels are truncated to the same length.
 */
export function legendLayout(legend: LegendRow[], height: number) {
  const { row, margin, padding, size } = LEGEND
  const shown = legend.map((entry) => ({ ...entry, text: shortened(entry.text) }))
  const longest = shown.reduce((most, { text, colour }) => Math.max(most, text.length + (colour ? 3 : 0)), 0)
  const box = {
    x: margin,
    y: height - margin - padding * 2 - shown.length * row,
    width: Math.max(160, longest * size * 0.62 + padding * 2),
    height: padding * 2 + shown.length * row
  }
  const rows = shown.map(({ text, isTitle = false, colour, shape, line, ramp = [] }, index) => {
    const [left, top] = [box.x + padding, box.y + padding + index * row]
    const step = 140 / Math.max(ramp.length, 1)
    return {
      x: left + (colour ? size + 6 : 0),
      y: top + size,
      text,
      isTitle,
      swatch: colour === undefined ? undefined : { x: left, y: top + 2, size, colour, shape, line },
      ramp: ramp.map((colour, part) => ({ x: left + part * step, y: top + 2, width: step, height: size, colour }))
    }
  })
  return { box, rows }
}

/** Returns the legend, or an empty one if the legend would hide most of the picture. */
export function fittingLegend(legend: LegendRow[], { width, height }: { width: number; height: number }): LegendRow[] {
  const { box } = legendLayout(legend, height)
  return box.width <= (width * 2) / 3 && box.height <= (height * 3) / 4 ? legend : []
}

/** The maximum number of characters before a label is truncated. */
const LONGEST = 40

function shortened(text: string) {
  const characters = [...text.replace(/\s+/g, ' ')]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
}
