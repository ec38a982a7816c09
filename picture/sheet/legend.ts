import type { LegendRow, Picture } from './picture.ts'

/** The dimensions of legends in pictures. */
export const LEGEND = { size: 12, row: 18, margin: 12, padding: 10, corner: 8, border: '#9aa3ab' }

/** The width of a ramp. */
const RAMP = 140

/**
 * Returns the positions of a legend's elements at the lower edge of a picture of this height, by default in the left corner and in
 * one column. Widths are estimates, and all labels are truncated to the same length.
 */
export function legendLayout(
  legend: LegendRow[],
  height: number,
  { left: boxLeft = LEGEND.margin, columns = 1 }: Picture['legendAt'] = {}
) {
  const { row, margin, padding, size } = LEGEND
  const shown = legend.map((entry) => ({ ...entry, text: shortened(entry.text) }))
  const longest = shown.reduce((most, { text, colour }) => Math.max(most, text.length + (colour ? 3 : 0)), 0)
  const places = placesIn(columns, shown)
  const column = Math.max(RAMP, longest * size * 0.62) + padding
  const lines = places.reduce((most, { down }) => Math.max(most, down + 1), 0)
  const used = places.reduce((most, { across }) => Math.max(most, across + 1), 1)
  const box = {
    x: boxLeft,
    y: height - margin - padding * 2 - lines * row,
    width: padding + used * column,
    height: padding * 2 + lines * row
  }
  const rows = shown.map(({ text, isTitle = false, colour, shape, line, ramp = [] }, index) => {
    const { across, down } = places[index] as (typeof places)[number]
    const [left, top] = [box.x + padding + across * column, box.y + padding + down * row]
    const step = RAMP / Math.max(ramp.length, 1)
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

/** Distributes rows over columns of similar heights. A title is never at the end of a column. */
function placesIn(columns: number, rows: LegendRow[]): { across: number; down: number }[] {
  const most = Math.ceil(rows.length / columns)
  let [across, down] = [0, -1]
  return rows.map(({ isTitle = false }) => {
    down++
    if (across < columns - 1 && down > 0 && down >= most - (isTitle ? 1 : 0)) [across, down] = [across + 1, 0]
    return { across, down }
  })
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
