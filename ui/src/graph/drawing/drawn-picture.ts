import { ringOf } from '../../../../picture/edges/shapes.ts'
import { lineOf } from '../../../../picture/sheet/arrows.ts'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import type { LegendRow, Picture } from '../../../../picture/sheet/picture.ts'
import { at, type Network } from '../network/network.ts'
import type { Drawing } from './drawing.ts'
import { withRoomForLegend } from './legend-room.ts'
import { placesOf } from './places.ts'
import { BORDER } from './settings.ts'

/** Returns a picture of what the drawing currently shows, including the legend. */
export function pictureOf(
  drawing: Drawing,
  network: Network,
  title: string,
  { background, ink, dimNode }: Paper,
  legend: LegendRow[]
): Picture {
  const { sigma, bends } = drawing
  const { width, height } = sigma.getDimensions()
  const places = placesOf(sigma, network)
  const nodes = places.flatMap((place, index) => {
    if (!place) return []
    const { x, y, size, color: colour } = place
    // In large drawings, nodes have no border.
    const border = bends ? BORDER : 0
    const node = {
      x,
      y,
      radius: size - border,
      border,
      name: drawing.labelOf(index),
      ...drawing.lookOf(index)
    }
    return [drawing.isFaded(index) ? { ...node, colour: dimNode, isFaded: true } : { ...node, colour }]
  })
  const labels = drawing.labelled
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (const index of edgesByDepth(drawing, network)) {
    const [from, to] = [places[at(network.source, index)], places[at(network.target, index)]]
    const look = drawing.edgeLook(index)
    if (!from || !to || !look) continue
    const bend = bends?.[index] ?? 0
    if (from === to) {
      // Large drawings have no loops.
      if (bends) rings.push({ ...ringOf(from, bend), ...look })
      continue
    }
    const hasArrow = drawing.style.edges?.arrows !== false && bends !== undefined && network.directed[index] === 1
    edges.push({ ...lineOf(from, to, { bend, width: look.width, hasArrow }), ...look })
  }
  return withRoomForLegend({
    width,
    height,
    title,
    background,
    ink,
    edges,
    rings,
    nodes,
    labels,
    candidates: drawing.candidates,
    labelSize: drawing.style.labels?.size,
    font: drawing.style.labels?.font,
    legend,
    edgeSample: drawing.edgeSample
  })
}

/** Returns the edges in drawing order, with foreground edges last. */
function edgesByDepth({ sigma }: Drawing, { edges }: Network): number[] {
  const depthOf = (edge: number) => sigma.getEdgeDisplayData(String(edge))?.zIndex ?? 0
  const [back, front]: [number[], number[]] = [[], []]
  for (const edge of edges.keys()) (depthOf(edge) > 0 ? front : back).push(edge)
  return [...back, ...front]
}
