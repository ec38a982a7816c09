import type { ViewStyle } from '../../schemas/style.ts'
import { nodeKeysOf } from '../filter/filters.ts'
import { shownLegend } from '../filter/legend-counts.ts'
import type { Visibility } from '../filter/visibility.ts'
import { measureAttributesOf } from '../measures/attributes.ts'
import { measures } from '../measures/functions.ts'
import { type Links, linksOf } from '../measures/links.ts'
import { type MeasureName, measuresAmong } from '../measures/names.ts'
import { UndefinedMeasure } from '../measures/undefined-measure.ts'
import type { Attribute } from '../model/attributes.ts'
import { hexOf } from '../model/colours.ts'
import { edgeAttributesOf, edgeLabelsOf, nodeAttributesOf } from '../model/element-attributes.ts'
import { ownColour, ownSize } from '../model/fitting-colour.ts'
import { textOf, withFormats } from '../model/formatting.ts'
import { type Network, nodeName } from '../model/network.ts'
import { withMeanings } from '../model/own-colours.ts'
import { colourScale, edgeSizes, nodeSizes, usualEdgeSize, usualNodeSize } from '../model/scales.ts'
import type { Look } from '../view/look.ts'
import { defaultColour } from './default-colour.ts'
import { formatNumber, words } from './english.ts'

type Attributes = Record<'nodes' | 'edges', Attribute[]>

/**
 * Returns the attributes of nodes and edges, with the measures that the view uses. If `isLarge` is set, omits the measures, which
 * may take time proportional to nodes × edges.
 */
export function attributesOf(network: Network, look: Look, isLarge: boolean, style: ViewStyle = {}): Attributes {
  const keys = [look.colour, look.size, look.label, ...nodeKeysOf(look.filters ?? [])]
  const needed = isLarge ? [] : measuresAmong(keys)
  const links = linksOf(network, look.weight)
  const values = new Map(needed.flatMap((name) => valuesOf(name, links, look.resolution)))
  return {
    nodes: withFormats(
      [...nodeAttributesOf(network, words), ...measureAttributesOf(values, words.measures)],
      style.nodes?.formats
    ),
    edges: withFormats(edgeAttributesOf(network, words), style.edges?.formats)
  }
}

/** Returns the values of a measure, by its name. Returns an empty list if the measure is undefined for this network. */
function valuesOf(name: MeasureName, links: Links, resolution: number | undefined): [MeasureName, Float64Array][] {
  try {
    return [[name, measures[name](links, () => {}, resolution)]]
  } catch (error) {
    if (!(error instanceof UndefinedMeasure)) throw error
    return []
  }
}

/**
 * Returns the colours, sizes and labels that the view gives to nodes and edges, by index, with their legends. As in the web app, an
 * unknown attribute means none, and a missing one means the default.
 */
export function appearanceOf(
  network: Network,
  look: Look,
  attributes: Attributes,
  { hidden, hiddenEdges }: Visibility,
  { nodes: ofNodes = {}, edges: ofEdges = {} }: ViewStyle
) {
  const [count, edgeCount] = [network.nodes.length, network.edges.length]
  const { nodes, edges } = attributes
  const named = (list: Attribute[], key: string | undefined) => list.find((attribute) => attribute.key === key)
  const amounts = edges.filter(({ isNumber }) => isNumber)

  const colour = look.colour === undefined ? defaultColour(network, nodes, look) : named(nodes, look.colour)
  const size = named(nodes, look.size ?? ownSize('node', nodes, count)?.key ?? (edgeCount > 0 ? 'degree' : undefined))
  const edgeColour = named(edges, look.edgeColour ?? ownColour('edge', edges, edgeCount, hexOf)?.key)
  const edgeSize = named(amounts, look.edgeSize ?? ownSize('edge', amounts, edgeCount)?.key)
  const label = named(nodes, look.label)
  const edgeLabel = named([...edgeLabelsOf(network, words), ...edges], look.edgeLabel)

  const colours = colour && colourScale(colour, count, hexOf, { ...ofNodes, marks: ofNodes.shapes })
  const sizes = size && nodeSizes(size, count, ofNodes.sizes)
  const edgeColours = edgeColour && colourScale(edgeColour, edgeCount, hexOf, { ...ofEdges, marks: ofEdges.lines })
  const edgeScale = edgeSize && edgeSizes(edgeSize, edgeCount, ofEdges.widths)
  const ownName = (node: number) => nodeName(network, node)
  return {
    nodeColour: colours?.colourOf,
    /** The shapes of nodes and the line styles of edges that the style sets. */
    shapeOf: colours?.markOf,
    lineStyleOf: edgeColours?.markOf,
    nodeSize: sizes?.sizeOf ?? (() => usualNodeSize(count, ofNodes.sizes)),
    nodeName: (node: number) => (label && textOf(label.read(node), label.format, formatNumber).trim()) || ownName(node),
    edgeText: edgeLabel && ((edge: number) => textOf(edgeLabel.read(edge), edgeLabel.format, formatNumber)),
    edgeColour: edgeColours?.colourOf,
    edgeSize: edgeScale?.sizeOf ?? (() => usualEdgeSize(edgeCount, ofEdges.widths)),
    legends: {
      colour:
        colour &&
        colours &&
        shownLegend(
          withMeanings(colours.legend, 'node', colour, nodes, count, ofNodes.order !== undefined),
          colour,
          count,
          hidden
        ),
      size: sizes?.legend,
      edgeColour:
        edgeColour &&
        edgeColours &&
        shownLegend(
          withMeanings(edgeColours.legend, 'edge', edgeColour, edges, edgeCount, ofEdges.order !== undefined),
          edgeColour,
          edgeCount,
          hiddenEdges
        ),
      edgeSize: edgeScale?.legend
    }
  }
}
