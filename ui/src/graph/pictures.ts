import { drawOnCanvas } from '@sigma/export-image'
import type { Drawing } from './drawing.ts'
import type { Paper } from './drawing-labels.ts'
import { DrawingOverlay } from './drawing-overlay.ts'
import { curveOf, cut, ringOf } from './edge-shapes.ts'
import { at, type Network } from './network.ts'
import { placesOf } from './places.ts'
import { type Picture, svgOf } from './svg.ts'

/** The visible drawing as PNG, in pixels of the screen. */
export async function pngOf({ sigma, bends }: Drawing, network: Network, { background }: Paper): Promise<Blob> {
  const canvas = await drawOnCanvas(sigma, {
    backgroundColor: background,
    layers: ['edges', 'nodes', 'overlay', 'labels', 'hovers', 'hoverNodes'],
    withTempRenderer: (copy) => new DrawingOverlay(copy, network, bends).drawLoops()
  })
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('too large for a picture'))), 'image/png')
  return promise
}

/** The visible drawing as SVG. */
export function svgPictureOf(drawing: Drawing, network: Network, title: string, paper: Paper): Blob {
  const { sigma, bends } = drawing
  const { width, height } = sigma.getDimensions()
  const labelled = sigma.getNodeDisplayedLabels()
  const places = placesOf(sigma, network)
  const nodes = places.flatMap((place, index) => {
    if (!place) return []
    const { x, y, size: radius, color: colour } = place
    return [{ x, y, radius, colour, name: drawing.labelOf(index), isLabelled: labelled.has(String(index)) }]
  })
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (const index of network.edges.keys()) {
    const [from, to] = [places[at(network.source, index)], places[at(network.target, index)]]
    if (!from || !to) continue
    const display = sigma.getEdgeDisplayData(String(index))
    const look = { colour: display?.color ?? paper.edge, width: sigma.scaleSize(display?.size ?? 1) }
    const bend = bends?.[index] ?? 0
    if (from === to) {
      rings.push({ ...ringOf(from, bend), ...look })
      continue
    }
    const isDirected = network.directed[index] === 1
    const whole = curveOf(from, to, bend)
    // An arrow ends at the border of its node.
    const curve = isDirected ? cut(whole, to.size) : whole
    edges.push({ ...curve, control: bend === 0 ? undefined : curve.control, isDirected, ...look })
  }
  return new Blob([svgOf({ width, height, title, nodes, edges, rings }, paper)], { type: 'image/svg+xml' })
}
