import { useMemo } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { shownLegend } from '../../../../picture/filter/legend-counts.ts'
import type { Visibility } from '../../../../picture/filter/visibility.ts'
import { ownColour, ownSize } from '../../../../picture/model/fitting-colour.ts'
import { withMeanings } from '../../../../picture/model/own-colours.ts'
import { colourScale, edgeSizes, nodeSizes, usualEdgeSize, usualNodeSize } from '../../../../picture/model/scales.ts'
import type { Paper } from '../../../../picture/sheet/paper.ts'
import type { Style } from '../../api.ts'
import { hexOf } from '../drawing/css-colours.ts'
import type { Appearance } from '../drawing/drawing.ts'
import { type Attribute, edgeLabels } from '../network/attributes.ts'
import { textOf } from '../network/format-value.ts'
import { isLarge, type Network, nodeName } from '../network/network.ts'
import { useStable } from './use-stable.ts'
import type { View } from './view.ts'

const NO_STYLE: Style = {}

/** Returns the attributes that can colour and size the drawing, and the appearance chosen in the view. */
export function useAppearance(
  network: Network,
  view: View,
  { nodes, edges }: Record<Elements, Attribute[]>,
  colour: Attribute | undefined,
  isByEdges: boolean,
  { hidden, hiddenEdges }: Visibility,
  paper: Paper
) {
  const count = network.nodes.length
  const edgeCount = network.edges.length
  const edgeAmounts = useMemo(
    () => (isLarge(network) ? [] : edges.filter(({ isNumber }) => isNumber)),
    [network, edges]
  )
  const ownNodeSize = useMemo(() => ownSize('node', nodes, count), [nodes, count])
  const ownEdgeColour = useMemo(() => ownColour('edge', edges, edgeCount, hexOf), [edges, edgeCount])
  const ownEdgeSize = useMemo(() => ownSize('edge', edgeAmounts, edgeCount), [edgeAmounts, edgeCount])
  const size = nodes.find(({ key }) => key === (view.size ?? ownNodeSize?.key ?? (isByEdges ? 'degree' : undefined)))
  const label = nodes.find(({ key }) => key === view.label)
  const edgeColour = edges.find(({ key }) => key === (view.edgeColour ?? ownEdgeColour?.key))
  const edgeSize = edgeAmounts.find(({ key }) => key === (view.edgeSize ?? ownEdgeSize?.key))

  const edgeTexts = useMemo(() => (isLarge(network) ? [] : [...edgeLabels(network), ...edges]), [network, edges])
  const edgeLabel = edgeTexts.find(({ key }) => key === view.edgeLabel)

  const { style = NO_STYLE } = view
  // Attributes already have their formats, and only the legend shows the titles.
  const { sizes: diameters, formats: _, titles: _titles, ...ofNodes } = style.nodes ?? {}
  const { widths, formats: __, titles: __titles, ...ofEdges } = style.edges ?? {}
  const nodeStyle = useStable({ ...ofNodes, marks: ofNodes.shapes })
  const edgeStyle = useStable({ ...ofEdges, marks: ofEdges.lines })
  const colours = useMemo(() => colour && colourScale(colour, count, hexOf, nodeStyle), [colour, count, nodeStyle])
  const edgeColours = useMemo(
    () => edgeColour && colourScale(edgeColour, edgeCount, hexOf, edgeStyle),
    [edgeColour, edgeCount, edgeStyle]
  )
  const [sizeRange, widthRange] = [useStable(diameters), useStable(widths)]
  const sizes = useMemo(() => size && nodeSizes(size, count, sizeRange), [size, count, sizeRange])
  const edgeScale = useMemo(
    () => edgeSize && edgeSizes(edgeSize, edgeCount, widthRange),
    [edgeSize, edgeCount, widthRange]
  )
  const { nodes: named } = network
  const nodeLabel = useMemo(() => {
    const own = (index: number) => nodeName({ nodes: named }, index)
    return label ? (index: number) => textOf(label.read(index), label).trim() || own(index) : own
  }, [label, named])
  const appearance: Appearance = useMemo(
    () => ({
      nodeColour: colours?.colourOf ?? (() => paper.node),
      nodeSize: sizes?.sizeOf ?? (() => usualNodeSize(count, sizeRange)),
      nodeLabel,
      nodeShape: colours?.markOf,
      edgeLine: edgeColours?.markOf,
      style,
      edgeColour: edgeColours?.colourOf,
      edgeSize: edgeScale?.sizeOf ?? (() => usualEdgeSize(edgeCount, widthRange)),
      edgeLabel: edgeLabel && ((edge: number) => textOf(edgeLabel.read(edge), edgeLabel)),
      hidden,
      hiddenEdges
    }),
    [
      colours,
      sizes,
      nodeLabel,
      edgeColours,
      edgeScale,
      edgeLabel,
      hidden,
      hiddenEdges,
      paper,
      count,
      edgeCount,
      style,
      sizeRange,
      widthRange
    ]
  )
  const isOrdered = { nodes: ofNodes.order !== undefined, edges: ofEdges.order !== undefined }
  const wholeLegend = useMemo(
    () => colour && colours && withMeanings(colours.legend, 'node', colour, nodes, count, isOrdered.nodes),
    [colours, colour, nodes, count, isOrdered.nodes]
  )
  const legend = useMemo(
    () => colour && wholeLegend && shownLegend(wholeLegend, colour, count, hidden),
    [wholeLegend, colour, count, hidden]
  )
  const wholeEdgeLegend = useMemo(
    () =>
      edgeColour &&
      edgeColours &&
      withMeanings(edgeColours.legend, 'edge', edgeColour, edges, edgeCount, isOrdered.edges),
    [edgeColours, edgeColour, edges, edgeCount, isOrdered.edges]
  )
  const edgeLegend = useMemo(
    () => edgeColour && wholeEdgeLegend && shownLegend(wholeEdgeLegend, edgeColour, edgeCount, hiddenEdges),
    [wholeEdgeLegend, edgeColour, edgeCount, hiddenEdges]
  )
  const legends = { colour: legend, size: sizes?.legend, edgeColour: edgeLegend, edgeSize: edgeScale?.legend }
  return { appearance, legends, edgeAmounts, edgeTexts, colour, size, edgeColour, edgeSize, edgeLabel }
}
