import type { GraphContent } from '../../schemas/graph-content.ts'
import type { PictureOptions } from '../../schemas/picture.ts'
import { COLOURED, coverageOf, opacityOf, ownOpacity, widthOf } from '../edges/ink.ts'
import { type Disc, ringOf } from '../edges/shapes.ts'
import { EdgeTints } from '../edges/tints.ts'
import { fittedPlaces, isQuick, layoutOf, spreadFor } from '../layout/places.ts'
import { metadataAttributes } from '../model/attributes.ts'
import { hexOf } from '../model/colours.ts'
import { ownColour, ownSize } from '../model/fitting-colour.ts'
import { at, bendsOf, hasOwnPositions, type Network, nameOf, networkOf, storedPositions } from '../model/network.ts'
import { colourScale, edgeSizes, nodeSizes, usualEdgeSize } from '../model/scales.ts'
import type { LineStyle, Shape } from '../model/shapes.ts'
import { styleOf } from '../model/styles.ts'
import { lineOf } from './arrows.ts'
import { colourOf } from './default-colour.ts'
import { formatNumber, words } from './english.ts'
import { placeLabels } from './labels.ts'
import { fittingLegend, legendLayout } from './legend.ts'
import { legendRows } from './legend-rows.ts'
import { darkPaper, lightPaper, shorten } from './paper.ts'
import type { Picture } from './picture.ts'
import { squaresOf } from './squares.ts'

/**
 * Pictures narrower than this have no legend or labels, which would cover the drawing. The effort spent on separating their
 * nodes is low, because lists show many such pictures.
 */
const NARROW = 320
const EFFORT = 0.15

/** The width of the border that separates a node from its surroundings, in pixels. */
const BORDER = 1

/** The width of the border in narrow pictures, and the minimum scale of their nodes. */
const THIN = 0.3
const SMALL = 0.25

/**
 * Returns the picture of a graph as the web app initially draws it, using stored positions or else a deterministic layout.
 * `kept` is the known layout of the content, if it has no positions. The work is bounded, except for large graphs, where it is
 * linear.
 */
export function drawGraph(
  content: GraphContent,
  title: string,
  { width, height, theme }: PictureOptions,
  kept?: Float32Array
): Picture {
  const network = networkOf(content)
  const { background, ink, ...paper } = theme === 'dark' ? darkPaper : lightPaper
  const picture = { width, height, title, background, ink, edges: [], rings: [], nodes: [], labels: [], legend: [] }
  const space = { width, height }
  const count = network.nodes.length
  const hasTexts = width >= NARROW
  if (count === 0) return picture
  const own = hasOwnPositions(network) ? storedPositions(network) : undefined
  if (!isQuick({ nodeCount: count, edgeCount: network.edges.length })) {
    const { squares, colours, most } = squaresOf(network, space, { from: background, to: paper.node }, own ?? kept)
    const title = { text: words.density(formatNumber(count)), isTitle: true }
    const legend = [title, { text: '', ramp: colours }, { text: words.inSquare(formatNumber(most)) }]
    return { ...picture, squares, legend: hasTexts ? fittingLegend(legend, space) : [] }
  }

  const colours = colourOf(network)
  const sizes = nodeSizes(ownSize('node', metadataAttributes(network.nodes), count) ?? degreeOf(network), count)
  const nodeColour = colours?.colourOf ?? (() => paper.node)
  // Draw smaller nodes in smaller pictures.
  const scale = Math.min(1, Math.max(hasTexts ? 0.45 : SMALL, Math.min(width, height) / 650))
  const border = hasTexts ? BORDER : THIN
  const radii = Float32Array.from({ length: count }, (_, node) => sizes.sizeOf(node) * scale + border)
  const ofEdges = edgeScalesOf(network)
  const legends = {
    colour: colours?.legend,
    size: sizes.legend,
    edgeColour: ofEdges.colours?.legend,
    edgeSize: ofEdges.sizes?.legend
  }
  const rows = hasTexts ? legendRows(legends, words, formatNumber) : []
  const legend = fittingLegend(rows, space)
  const { box } = legendLayout(legend, height)
  const covers =
    legend.length > 0 ? [{ left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }] : []
  const computed = own || kept ? undefined : layoutOf(network)
  const layout = kept ?? (computed?.positions as Float32Array)
  const positions = own ?? spreadFor(network, layout, radii, space, hasTexts ? 1 : EFFORT)
  const { places, unit } = fittedPlaces(positions, radii, space, covers)
  const nodes = places.map(({ x, y, size }, node) => ({
    x,
    y,
    radius: size - border,
    border,
    colour: nodeColour(node),
    name: shorten(nameOf(network.nodes[node] as Network['nodes'][number])),
    shape: styleOf('node', network.nodes[node]?.metadata)?.shape as Shape | undefined
  }))
  const names = (node: number) => (nodes[node] as (typeof nodes)[number]).name
  const labels = hasTexts ? placeLabels(network, places, names, space, covers) : []
  const tints = new EdgeTints(network, nodeColour, paper.edge)
  const drawn = { ...picture, ...linesOf(network, positions, places, unit, tints, ofEdges), nodes, labels, legend }
  return computed ? { ...drawn, layout: computed } : drawn
}

type EdgeScales = ReturnType<typeof edgeScalesOf>

/** Returns the colours and sizes of edges, if they have their own. */
function edgeScalesOf({ edges }: Network) {
  const attributes = metadataAttributes(edges)
  const colour = ownColour('edge', attributes, edges.length, hexOf)
  const size = ownSize('edge', attributes, edges.length)
  return {
    colours: colour && colourScale(colour, edges.length, hexOf),
    sizes: size && edgeSizes(size, edges.length)
  }
}

/** Returns the edges and loops of a picture. `unit` is the length in pixels of one unit of the positions. */
function linesOf(
  network: Network,
  positions: Float64Array,
  places: Disc[],
  unit: number,
  tints: EdgeTints,
  scales: EdgeScales
): Pick<Picture, 'edges' | 'rings'> {
  const bends = bendsOf(network)
  const count = network.edges.length
  const { colours, sizes } = scales
  const sizeOf = sizes?.sizeOf ?? (() => usualEdgeSize(count))
  const common = opacityOf(coverageOf(network, positions, sizeOf) / unit)
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = [network.source, network.target].map((ends) => places[at(ends, edge)])
    if (!from || !to) continue
    const [bend, size] = [at(bends, edge), sizeOf(edge)]
    const look = {
      colour: colours?.colourOf(edge) ?? tints.of(edge),
      width: widthOf(size),
      opacity: ownOpacity(common, colours ? COLOURED : 0, size),
      style: styleOf('edge', network.edges[edge]?.metadata)?.shape as LineStyle | undefined
    }
    if (from === to) rings.push({ ...ringOf(from, bend), ...look })
    else
      edges.push({ ...lineOf(from, to, { bend, width: look.width, hasArrow: network.directed[edge] === 1 }), ...look })
  }
  return { edges, rings }
}

/** Returns the attribute that determines node sizes by default. */
function degreeOf({ degree }: Network) {
  return {
    key: 'degree',
    title: words.degree,
    isNumber: true,
    isAmount: true,
    read: (node: number) => at(degree, node)
  }
}
