import type { LegendRow, Picture } from './picture.ts'

/** The dimensions of legends in pictures. */
export const LEGEND = { size: 12, row: 18, margin: 12, padding: 10, corner: 8, border: '#9aa3ab' }

/** The width of a ramp, and of the sample of an edge. */
const RAMP = 140
const SAMPLE = 24

/** The space between a colour or a sample and its text. */
const GAP = 6

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
  const widest = legend.reduce((most, { disc = 0 }) => Math.max(most, disc * 2), 0)
  const besideOf = ({ disc, stroke, colour }: LegendRow) =>
    disc !== undefined ? widest + GAP : stroke !== undefined ? SAMPLE + GAP : colour ? size + GAP : 0
  const longest = shown.reduce((most, entry) => {
    const beside = entry.colour ? 3 * size * 0.62 : besideOf(entry)
    return Math.max(most, entry.text.length * size * 0.62 + beside)
  }, 0)
  const places = placesIn(columns, shown)
  const column = Math.max(RAMP, longest) + padding
  const inside = places.reduce((most, { down, tall }) => Math.max(most, down + tall), 0)
  const used = places.reduce((most, { across }) => Math.max(most, across + 1), 1)
  const box = {
    x: boxLeft,
    y: height - margin - padding * 2 - inside,
    width: padding + used * column,
    height: padding * 2 + inside
  }
  const rows = shown.map((entry, index) => {
    const { text, isTitle = false, colour, shape, line, disc, stroke, ramp = [] } = entry
    const { across, down, tall } = places[index] as (typeof places)[number]
    const left = box.x + padding + across * column
    const middle = box.y + padding + down + tall / 2
    const top = middle - row / 2 + 2
    const step = RAMP / Math.max(ramp.length, 1)
    return {
      x: left + besideOf(entry),
      y: middle + size / 4,
      text,
      isTitle,
      swatch: colour === undefined ? undefined : { x: left, y: top, size, colour, shape, line },
      disc: disc === undefined ? undefined : { x: left + widest / 2, y: middle, radius: disc },
      stroke: stroke === undefined ? undefined : { x: left, y: middle, length: SAMPLE, width: stroke },
      ramp: ramp.map((colour, part) => ({ x: left + part * step, y: top, width: step, height: size, colour }))
    }
  })
  return { box, rows }
}

/** Distributes rows over columns of similar heights. A title stays with the next row, and with all of its samples. */
function placesIn(columns: number, rows: LegendRow[]): { across: number; down: number; tall: number }[] {
  const { row } = LEGEND
  const heights = rows.map(({ disc = 0, stroke = 0 }) => Math.max(row, disc * 2 + 4, stroke + 4))
  const most = Math.ceil(heights.reduce((sum, height) => sum + height, 0) / columns / row) * row
  const isSample = (index: number) => rows[index]?.disc !== undefined || rows[index]?.stroke !== undefined
  /** Returns the height of a row with the rows that stay with it. */
  const keptFrom = (index: number): number => {
    const stays = index + 1 < rows.length && (rows[index]?.isTitle || isSample(index + 1))
    return (heights[index] ?? 0) + (stays ? (isSample(index + 1) ? keptFrom(index + 1) : row) : 0)
  }
  let [across, down] = [0, 0]
  return heights.map((tall, index) => {
    const isFull = down > 0 && !isSample(index) && down + keptFrom(index) > most
    if (across < columns - 1 && isFull) [across, down] = [across + 1, 0]
    const place = { across, down, tall }
    down += tall
    return place
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
