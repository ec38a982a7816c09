import type { GraphContent } from '../../schemas/graph-content.ts'
import type { PictureOptions } from '../../schemas/picture.ts'
import type { GraphView } from '../../schemas/saved-view.ts'
import type { ViewStyle } from '../../schemas/style.ts'
import { COLOURED, coverageOf, opacityOf, ownOpacity } from '../edges/ink.ts'
import { type Disc, ringOf } from '../edges/shapes.ts'
import { EdgeTints } from '../edges/tints.ts'
import { visibilityOf } from '../filter/visibility.ts'
import { isQuick, showsNodes } from '../layout/limits.ts'
import { fittedPlaces, layoutOf, spreadFor } from '../layout/places.ts'
import { at, bendsOf, hasOwnPositions, type Network, networkOf, storedPositions } from '../model/network.ts'
import type { LineStyle, Shape } from '../model/shapes.ts'
import { styleOf } from '../model/styles.ts'
import { readLook } from '../view/look.ts'
import { appearanceOf, attributesOf } from './appearance.ts'
import { lineOf } from './arrows.ts'
import { placeEdgeLabels } from './edge-labels.ts'
import { formatNumber, words } from './english.ts'
import { placeLabels, widthOf as textWidthOf } from './labels.ts'
import { fittingLegend, legendLayout } from './legend.ts'
import { legendRows } from './legend-rows.ts'
import { darkPaper, LABEL_SIZE, lightPaper, paperIn, sampleColour, shorten } from './paper.ts'
import type { Picture } from './picture.ts'
import { positionsOfPart, shownPart } from './shown-part.ts'
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
 * Returns the picture of a graph in a view, or else as the web app initially draws it, using stored positions or a deterministic
 * layout. The picture contains only the elements that the view's filters show. `layout` is the known layout of the content, if it
 * has no positions; larger graphs show the density of nodes until it is known. The work is bounded, except for large graphs, where it
 * is linear.
 */
export function drawGraph(
  content: GraphContent,
  title: string,
  { width, height, theme }: PictureOptions,
  { layout: kept, view }: { layout?: Float32Array | undefined; view?: Partial<GraphView> | undefined } = {}
): Picture {
  const network = networkOf(content)
  const { nodes: ofNodes = {}, edges: ofEdges = {}, labels: ofLabels, background: ground } = view?.style ?? {}
  const { background, ink, ...paper } = paperIn(ground, theme === 'dark' ? darkPaper : lightPaper)
  const picture = { width, height, title, background, ink, edges: [], rings: [], nodes: [], labels: [], legend: [] }
  const space = { width, height }
  const hasTexts = width >= NARROW
  const look = readLook(new URLSearchParams(view?.query))
  const attributes = attributesOf(network, look, !isQuick(countsOf(network)), view?.style)
  const visible = visibilityOf(network, look.filters ?? [], attributes)
  const part = shownPart(network, visible)
  const count = part.nodes.length
  if (count === 0) return picture
  const own = hasOwnPositions(network) ? storedPositions(network) : undefined
  const known = own ?? kept
  const canBeDrawn = known ? showsNodes : isQuick
  if (!canBeDrawn(countsOf(part.network))) {
    const places = known && positionsOfPart(known, part)
    const { squares, colours, most } = squaresOf(part.network, space, { from: background, to: paper.node }, places)
    const title = { text: words.density(formatNumber(count)), isTitle: true }
    const legend = [title, { text: '', ramp: colours }, { text: words.inSquare(formatNumber(most)) }]
    const isProvisional = !known && showsNodes(countsOf(network))
    return { ...picture, squares, legend: hasTexts ? fittingLegend(legend, space) : [], isProvisional }
  }

  const appearance = appearanceOf(network, look, attributes, visible, view?.style ?? {})
  const {
    legends,
    nodeColour = () => paper.node,
    nodeSize,
    nodeName,
    edgeColour,
    edgeSize,
    edgeText,
    shapeOf,
    lineStyleOf
  } = appearance
  // Draw smaller nodes in smaller pictures.
  const scale = Math.min(1, Math.max(hasTexts ? 0.45 : SMALL, Math.min(width, height) / 650))
  const border = hasTexts ? BORDER : THIN
  const radiiOf = (nodes: number[]) => Float32Array.from(nodes, (node) => nodeSize(node) * scale + border)
  const radii = radiiOf(part.nodes)
  const rows = hasTexts ? legendRows(legends, view?.style, words, formatNumber, scale) : []
  const legend = fittingLegend(rows, space)
  const { box } = legendLayout(legend, height)
  const covers =
    legend.length > 0 ? [{ left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }] : []
  const spread = (of: Network, layout: ArrayLike<number>, radii: Float32Array) =>
    spreadFor(of, layout, radii, space, hasTexts ? 1 : EFFORT)
  // Hidden nodes keep their places, unless the graph is too large for a layout.
  const isWhole = canBeDrawn(countsOf(network))
  const computed = isWhole && !known ? layoutOf(network) : undefined
  const layout = kept ?? computed?.positions
  const positionsOf = () => {
    if (own) return positionsOfPart(own, part)
    if (isWhole && layout) return positionsOfPart(spread(network, layout, radiiOf([...network.nodes.keys()])), part)
    return spread(part.network, layout ? positionsOfPart(layout, part) : layoutOf(part.network).positions, radii)
  }
  const positions = positionsOf()
  const { places, unit } = fittedPlaces(positions, radii, space, covers)
  const nodes = places.map(({ x, y, size }, index) => {
    const node = at(part.nodes, index)
    return {
      x,
      y,
      radius: size - border,
      border,
      colour: nodeColour(node),
      name: shorten(nodeName(node)),
      shape: (shapeOf?.(node) ?? styleOf('node', network.nodes[node]?.metadata)?.shape) as Shape | undefined,
      opacity: ofNodes.opacity
    }
  })
  const names = (node: number) => (nodes[node] as (typeof nodes)[number]).name
  const bends = bendsOf(part.network, ofEdges.curvature)
  const labels = () => {
    const { labels, free } = placeLabels(part.network, places, names, space, covers, ofLabels)
    if (!edgeText) return labels
    const edges = part.edges.keys()
    const textOf = (edge: number) => edgeText(at(part.edges, edge))
    const size = ofLabels?.size ?? LABEL_SIZE
    const font = { size, widthOf: (text: string) => textWidthOf(text, size) }
    const along = placeEdgeLabels(part.network, places, bends, edges, textOf, font, space, free)
    return [...labels, ...along.map((label) => ({ ...label, isBold: false }))]
  }
  const tints = new EdgeTints(part.network, (node) => nodeColour(at(part.nodes, node)), paper.edge)
  const scales = {
    colourOf: edgeColour && ((edge: number) => edgeColour(at(part.edges, edge))),
    sizeOf: (edge: number) => edgeSize(at(part.edges, edge)),
    lineStyleOf: (edge: number) => lineStyleOf?.(at(part.edges, edge))
  }
  const common = ofEdges.opacity ?? opacityOf(coverageOf(part.network, positions, scales.sizeOf) / unit)
  const opacity = ownOpacity(common, edgeColour && ofEdges.opacity === undefined ? COLOURED : 0)
  const lines = linesOf(part.network, places, bends, opacity, tints, scales, ofEdges)
  const drawn = {
    ...picture,
    ...lines,
    nodes,
    labels: hasTexts ? labels() : [],
    labelSize: ofLabels?.size,
    font: ofLabels?.font,
    legend,
    edgeSample: sampleColour({ background, edge: paper.edge }, opacity)
  }
  return computed ? { ...drawn, layout: computed } : drawn
}

function countsOf({ nodes, edges }: Network) {
  return { nodeCount: nodes.length, edgeCount: edges.length }
}

type EdgeStyle = NonNullable<ViewStyle['edges']>

/** The colours of edges, if they have their own, their sizes, and their line styles if the view sets them. */
interface EdgeScales {
  colourOf: ((edge: number) => string) | undefined
  sizeOf(edge: number): number
  lineStyleOf(edge: number): string | undefined
}

/** Returns the edges and loops of a picture. */
function linesOf(
  network: Network,
  places: Disc[],
  bends: Float32Array,
  opacity: number,
  tints: EdgeTints,
  { colourOf, sizeOf, lineStyleOf }: EdgeScales,
  style: EdgeStyle
): Pick<Picture, 'edges' | 'rings'> {
  const count = network.edges.length
  const edges: Picture['edges'] = []
  const rings: Picture['rings'] = []
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = [network.source, network.target].map((ends) => places[at(ends, edge)])
    if (!from || !to) continue
    const [bend, size] = [at(bends, edge), sizeOf(edge)]
    const hasArrow = style.arrows !== false && network.directed[edge] === 1
    const look = {
      colour: colourOf?.(edge) ?? tints.of(edge),
      width: size,
      opacity,
      style: (lineStyleOf(edge) ?? styleOf('edge', network.edges[edge]?.metadata)?.shape) as LineStyle | undefined
    }
    if (from === to) rings.push({ ...ringOf(from, bend), ...look })
    else edges.push({ ...lineOf(from, to, { bend, width: look.width, hasArrow }), ...look })
  }
  return { edges, rings }
}
