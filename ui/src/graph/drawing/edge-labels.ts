import type Sigma from 'sigma'
import type { LabelPlaces } from '../../../../picture/layout/label-places.ts'
import { type EdgeLabel, placeEdgeLabels } from '../../../../picture/sheet/edge-labels.ts'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import type { Network } from '../network/network.ts'
import { drawLabel, fontOf } from './labels.ts'
import { placesOf } from './places.ts'

/** Draws the labels that fit along their edges, and returns them. */
export function drawEdgeLabels(
  sigma: Sigma,
  network: Network,
  bends: Float32Array | undefined,
  edges: Iterable<number>,
  labelOf: (edge: number) => string,
  free: LabelPlaces,
  paper: Paper
): EdgeLabel[] {
  const context = sigma.getCanvases().labels?.getContext('2d')
  if (!context) return []
  const settings = sigma.getSettings()
  context.font = fontOf(settings)
  const font = { size: settings.labelSize, widthOf: (text: string) => context.measureText(text).width }
  const places = placesOf(sigma, network)
  const labels = placeEdgeLabels(network, places, bends, edges, labelOf, font, sigma.getDimensions(), free)
  for (const { text, x, y, angle } of labels) {
    context.save()
    context.translate(x, y)
    context.rotate(angle)
    drawLabel(context, { text, x: 0, y: 0 }, paper)
    context.restore()
  }
  return labels
}
