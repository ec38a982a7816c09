import type { Point } from '../../../../picture/edges/shapes.ts'
import type { Box } from '../../../../picture/layout/label-boxes.ts'
import { LabelPlaces } from '../../../../picture/layout/label-places.ts'
import { type Font, resizedEdgeLabel } from '../../../../picture/sheet/edge-labels.ts'
import { LABEL_SHARE } from '../../../../picture/sheet/labels.ts'
import { LEGEND, legendLayout } from '../../../../picture/sheet/legend.ts'
import { LABEL_SIZE } from '../../../../picture/sheet/paper.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'

/** Units of a printed picture per centimetre. A unit is half a point, so labels of 14 units have a size of 7 points. */
export const UNITS_PER_CM = 144 / 2.54

/** The margin around the drawing, in units. */
const MARGIN = 16

/** The maximum height of the drawing, relative to its width, and the maximum enlargement. */
const TALLEST = 1.4
const LARGEST = 2

/** The minimum number of rows in a column of the legend. */
const ROWS = 5

/**
 * Returns the picture in another width, with labels of this size in place of that of the style. The visible nodes fill it, all
 * labels are shown for which there is room, as well as forced ones, and the legend is below the drawing. `measure` returns the width
 * of a text in ems.
 */
export function printedPicture(
  picture: Picture,
  width: number,
  labelSize: number,
  measure: (text: string) => number
): Picture {
  const { nodes, labels, candidates = [], edges, rings, legend } = picture
  const extent = extentOf(picture)
  const [across, down] = [extent.right - extent.left, extent.bottom - extent.top]
  const scale = Math.min((width - 2 * MARGIN) / across, (width * TALLEST) / down, LARGEST)
  const drawn = { width, height: down * scale + 2 * MARGIN }
  const left = (width - across * scale) / 2 - extent.left * scale
  const top = MARGIN - extent.top * scale
  const moved = <Moved extends Point>(place: Moved): Moved => ({
    ...place,
    x: place.x * scale + left,
    y: place.y * scale + top
  })
  const places = new LabelPlaces({ left: 0, top: 0, right: drawn.width, bottom: drawn.height }, [])
  const shrunk = nodes.map((node) => ({ ...moved(node), radius: node.radius * scale, border: node.border * scale }))
  for (const { x, y, radius, border } of shrunk) places.addDisc({ x, y, size: radius + border })
  const fontOf = (size: number) => ({ size, widthOf: (text: string) => measure(text) * size })
  const fonts: [Font, Font] = [fontOf(picture.labelSize ?? LABEL_SIZE), fontOf(labelSize)]
  let covered = 0
  const ofNodes = candidates.flatMap(({ text, isBold, isForced, scale: larger = 1, disc, ends }, rank) => {
    if (!isForced && covered >= drawn.width * drawn.height * LABEL_SHARE) return []
    const fontSize = labelSize * larger
    const [textWidth, height] = [measure(text) * fontSize, fontSize + 2]
    const label = { ...moved(disc), width: textWidth, height, size: disc.size * scale, ends: ends.map(moved) }
    const box = places.take(label, rank) ?? (isForced ? places.force(label) : undefined)
    if (!box) return []
    covered += textWidth * height
    const y = (box.top + box.bottom) / 2 + fontSize / 3
    return [{ text, isBold, x: box.left, y, ...(larger !== 1 && { scale: larger }), leader: box.leader }]
  })
  const ofEdges = labels.flatMap(({ angle, ...label }) =>
    angle === undefined ? [] : (resizedEdgeLabel({ ...label, angle }, fonts, moved, places) ?? [])
  )
  const samples = legend.map((row) => ({
    ...row,
    ...(row.disc !== undefined && { disc: row.disc * scale }),
    ...(row.stroke !== undefined && { stroke: row.stroke * scale })
  }))
  const column = legendLayout(samples, 0).box.width
  const fitting = Math.floor((width - 2 * LEGEND.margin) / column)
  const heightIn = (columns: number) => legendLayout(samples, 0, { columns }).box.height
  let columns = 1
  for (let more = 2; more <= Math.min(fitting, legend.length / ROWS); more++) {
    if (heightIn(more) < heightIn(columns)) columns = more
  }
  return {
    ...picture,
    width,
    height: drawn.height + (legend.length > 0 ? heightIn(columns) + LEGEND.margin : 0),
    nodes: shrunk,
    labels: [...ofNodes, ...ofEdges],
    labelSize,
    legend: samples,
    legendAt: { columns },
    edges: edges.map((edge) => ({
      ...edge,
      from: moved(edge.from),
      to: moved(edge.to),
      control: edge.control && moved(edge.control),
      arrow: edge.arrow?.map(moved) as typeof edge.arrow,
      width: edge.width * scale
    })),
    rings: rings.map((ring) => ({ ...moved(ring), radius: ring.radius * scale, width: ring.width * scale }))
  }
}

/** Returns the box around the nodes, without those outside the view. If there are none, returns the view. */
function extentOf({ nodes, width, height }: Picture): Box {
  const view = { left: 0, top: 0, right: width, bottom: height }
  const shown = nodes.filter(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)
  return (
    shown.reduce((all: Box | undefined, { x, y, radius, border }) => {
      const size = radius + border
      return {
        left: Math.min(all?.left ?? x, x - size),
        top: Math.min(all?.top ?? y, y - size),
        right: Math.max(all?.right ?? x, x + size),
        bottom: Math.max(all?.bottom ?? y, y + size)
      }
    }, undefined) ?? view
  )
}
