import { drawOnCanvas } from '@sigma/export-image'
import type { Drawing } from './drawing.ts'
import type { Paper } from './drawing-labels.ts'
import { at, type Network, nameOf } from './network.ts'
import { svgOf } from './svg.ts'

/** What the drawing shows, as PNG in twice its size. */
export async function pngOf({ sigma }: Drawing, { background }: Paper): Promise<Blob> {
  const { width, height } = sigma.getDimensions()
  const canvas = await drawOnCanvas(sigma, { width, height, backgroundColor: background })
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('too large for a picture'))), 'image/png')
  return promise
}

/** What the drawing shows, as SVG. */
export function svgPictureOf({ sigma }: Drawing, network: Network, title: string, paper: Paper): Blob {
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
  const edges = network.edges.flatMap((_, index) => {
    const [source, target] = [at(network.source, index), at(network.target, index)]
    if (!isShown(source) || !isShown(target)) return []
    const display = sigma.getEdgeDisplayData(String(index))
    const [from, to] = [places[source], places[target]] as [(typeof places)[number], (typeof places)[number]]
    const isDirected = network.directed[index] === 1
    // An arrow ends where its node begins.
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const part = isDirected && length > 0 ? Math.max(0, 1 - radiusOf(target) / length) : 1
    return [
      {
        x1: from.x,
        y1: from.y,
        x2: from.x + (to.x - from.x) * part,
        y2: from.y + (to.y - from.y) * part,
        colour: display?.color ?? paper.edge,
        width: sigma.scaleSize(display?.size ?? 1),
        isDirected
      }
    ]
  })
  return new Blob([svgOf({ width, height, title, nodes, edges }, paper)], { type: 'image/svg+xml' })
}
