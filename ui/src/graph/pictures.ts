import { drawOnCanvas } from '@sigma/export-image'
import type { Drawing } from './drawing.ts'
import type { Paper } from './drawing-labels.ts'
import { DrawingOverlay, ringOf } from './drawing-overlay.ts'
import { at, type Network, nameOf } from './network.ts'
import { type Picture, type Point, svgOf } from './svg.ts'

/** What the drawing shows, as PNG in the pixels of the screen. */
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

/** What the drawing shows, as SVG. */
export function svgPictureOf({ sigma, bends }: Drawing, network: Network, title: string, paper: Paper): Blob {
  const { width, height } = sigma.getDimensions()
  const labelled = sigma.getNodeDisplayedLabels()
  const placeOf = (node: number) => {
    const display = sigma.getNodeDisplayData(String(node))
    return { display, ...sigma.framedGraphToViewport({ x: display?.x ?? 0, y: display?.y ?? 0 }) }
  }
  const places = network.nodes.map((_, node) => placeOf(node))
  const radiusOf = (node: number) => sigma.scaleSize(places[node]?.display?.size ?? 1)
  const isShown = (node: number) => places[node]?.display?.hidden !== true

  const nodes = network.nodes.flatMap((node, index) => {
    const { x, y, display } = places[index] as (typeof places)[number]
    if (!isShown(index)) return []
    const radius = radiusOf(index)
    return [
      {
        x,
        y,
        radius,
        colour: display?.color ?? paper.node,
        name: nameOf(node),
        isLabelled: labelled.has(String(index))
      }
    ]
  })
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (const index of network.edges.keys()) {
    const [source, target] = [at(network.source, index), at(network.target, index)]
    if (!isShown(source) || !isShown(target)) continue
    const display = sigma.getEdgeDisplayData(String(index))
    const look = { colour: display?.color ?? paper.edge, width: sigma.scaleSize(display?.size ?? 1) }
    const [from, to] = [places[source], places[target]] as [Point, Point]
    const bend = bends?.[index] ?? 0
    if (source === target) {
      rings.push({ ...ringOf({ ...from, size: radiusOf(source) }, bend), ...look })
      continue
    }
    const isDirected = network.directed[index] === 1
    const whole = { from, control: controlOf(from, to, bend), to }
    // An arrow ends where its node begins.
    const curve = isDirected ? cut(whole, radiusOf(target)) : whole
    edges.push({ ...curve, control: bend === 0 ? undefined : curve.control, isDirected, ...look })
  }
  return new Blob([svgOf({ width, height, title, nodes, edges, rings }, paper)], { type: 'image/svg+xml' })
}

/** The control point of an edge that bends so far. */
function controlOf(from: Point, to: Point, bend: number): Point {
  return {
    x: (from.x + to.x) / 2 + (to.y - from.y) * bend,
    y: (from.y + to.y) / 2 - (to.x - from.x) * bend
  }
}

/** A quadratic Bézier curve. */
interface Curve {
  from: Point
  control: Point
  to: Point
}

/** The curve up to where it comes so near to its end. */
function cut({ from, control, to }: Curve, distance: number): Curve {
  // By de Casteljau's algorithm.
  const upTo = (part: number): Curve => {
    const first = between(from, control, part)
    return { from, control: first, to: between(first, between(control, to, part), part) }
  }
  let part = 0.5
  for (let step = 0.25; step > 0.001; step /= 2) {
    const end = upTo(part).to
    part += Math.hypot(to.x - end.x, to.y - end.y) > distance ? step : -step
  }
  return upTo(part)
}

function between(one: Point, other: Point, part: number): Point {
  return { x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part }
}
