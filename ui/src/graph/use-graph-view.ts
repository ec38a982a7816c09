import { useComputedColorScheme } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'wouter'
import type { GraphContent } from '../api.ts'
import { text } from '../text/index.ts'
import { type Attribute, edgeAttributes } from './attributes.ts'
import { hexOf } from './css-colours.ts'
import type { Appearance, Element } from './drawing.ts'
import { darkPaper, lightPaper } from './drawing-labels.ts'
import { at, isLarge, type Network, nameOf, networkOf } from './network.ts'
import { colourScale, sizeScale } from './scales.ts'
import { useNodeAttributes } from './use-node-attributes.ts'
import { hiddenNodes, readView, type View, writeView } from './view.ts'

/** The view in the address, and a function that changes some of it. */
export function useView() {
  const [params, setParams] = useSearchParams()
  const query = params.toString()
  const read = useMemo(() => readView(new URLSearchParams(query)), [query])
  const change = (changes: Partial<View>) =>
    setParams((before) => writeView({ ...readView(before), ...changes }), { replace: true })
  return { read, change }
}

/** The view of a graph, from the address, and everything derived from it. */
export function useGraphView(content: GraphContent) {
  const { read, change } = useView()
  const scheme = useComputedColorScheme('light')
  const paper = scheme === 'dark' ? darkPaper : lightPaper
  const network = useMemo(() => networkOf(content), [content])
  const edges = useMemo(() => edgeAttributes(network), [network])

  const [filter, nodeSort, edgeSort] = [useStable(read.filter), useStable(read.nodeSort), useStable(read.edgeSort)]
  const view: View = { ...read, filter, nodeSort, edgeSort }

  const count = network.nodes.length
  const edgeCount = network.edges.length
  const { nodes, measures, measured, colour } = useNodeAttributes(network, view)
  const size = nodes.find(({ key }) => key === (view.size ?? 'degree'))
  const edgeColour = edges.find(({ key }) => key === view.edgeColour)
  const edgeAmounts = useMemo(
    () => (isLarge(network) ? [] : edges.filter(({ isNumber }) => isNumber)),
    [network, edges]
  )
  const edgeSize = edgeAmounts.find(({ key }) => key === view.edgeSize)

  const colours = useMemo(() => colour && colourScale(colour, count, hexOf), [colour, count])
  const edgeColours = useMemo(() => edgeColour && colourScale(edgeColour, edgeCount, hexOf), [edgeColour, edgeCount])
  const sizes = useMemo(() => size && sizeScale(size, count, smallestOf(count), smallestOf(count) * 3.5), [size, count])
  const edgeSizes = useMemo(() => edgeSize && sizeScale(edgeSize, edgeCount, 0.8, 6), [edgeSize, edgeCount])
  const label = nodes.find(({ key }) => key === view.label)
  const nodeLabel = useMemo(() => {
    const own = (index: number) => nameOf(network.nodes[index] as Network['nodes'][number])
    return label ? (index: number) => String(label.read(index) ?? '').trim() || own(index) : own
  }, [label, network])
  const hidden = useMemo(() => hiddenNodes(filter, nodes, count), [filter, nodes, count])
  const appearance: Appearance = useMemo(
    () => ({
      nodeColour: colours?.colourOf ?? (() => paper.node),
      nodeSize: sizes?.sizeOf ?? (() => smallestOf(count) * 1.5),
      nodeLabel,
      edgeColour: edgeColours?.colourOf,
      edgeSize: edgeSizes?.sizeOf ?? (() => (edgeCount > 1000 ? 1 : 1.4)),
      hidden
    }),
    [colours, sizes, nodeLabel, edgeColours, edgeSizes, hidden, paper, count, edgeCount]
  )

  const selected = selectedOf(view, network)
  const select = (element: Element | undefined) =>
    change({
      node: element?.kind === 'node' ? network.nodes[element.index]?.id : undefined,
      edge: element?.kind === 'edge' ? element.index : undefined
    })

  const isNodeHidden = useMemo(() => hidden && ((index: number) => hidden[index] === 1), [hidden])
  const isEdgeHidden = useMemo(
    () =>
      hidden && ((edge: number) => hidden[at(network.source, edge)] === 1 || hidden[at(network.target, edge)] === 1),
    [hidden, network]
  )
  const nodeColumns = useMemo(() => [...namesOfNodes(network), ...nodes], [network, nodes])
  const edgeColumns = useMemo(() => [...endsOfEdges(network, nodeLabel), ...edges], [network, nodeLabel, edges])

  return {
    view,
    tab: view.tab,
    change,
    network,
    paper,
    appearance,
    selected,
    select,
    colour,
    size,
    measures,
    measured,
    legends: {
      colour: colours?.legend,
      size: sizes?.legend,
      edgeColour: edgeColours?.legend,
      edgeSize: edgeSizes?.legend
    },
    nodeAttributes: nodes,
    edgeAttributes: edges,
    edgeAmounts,
    nodeColumns,
    edgeColumns,
    isNodeHidden,
    isEdgeHidden
  }
}

/** Returns the same object as before for an equal value, so that nothing derived from it is made again. */
function useStable<T>(value: T): T {
  const kept = useRef(value)
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}

/** The size of the smallest node, in pixels: the more nodes, the smaller. */
function smallestOf(count: number) {
  return Math.max(1.2, Math.min(6, 60 / Math.sqrt(count)))
}

function selectedOf({ node, edge }: View, { indexOf, edges }: Network): Element | undefined {
  const index = node === undefined ? undefined : indexOf.get(node)
  if (index !== undefined) return { kind: 'node', index }
  return edge !== undefined && edge < edges.length ? { kind: 'edge', index: edge } : undefined
}

function namesOfNodes({ nodes }: Network): Attribute[] {
  const isLabelled = nodes.some(({ label }) => label !== undefined)
  const id: Attribute = { key: 'id', title: text.attributes.id, isNumber: false, read: (index) => nodes[index]?.id }
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => nodes[index] && nameOf(nodes[index])
  }
  return isLabelled ? [label, id] : [id]
}

function endsOfEdges({ edges, source, target }: Network, labelOf: (node: number) => string): Attribute[] {
  const end = (key: 'source' | 'target', ends: Uint32Array): Attribute => ({
    key,
    title: text.attributes[key],
    isNumber: false,
    read: (index) => labelOf(at(ends, index))
  })
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => edges[index]?.label
  }
  return [
    end('source', source),
    end('target', target),
    ...(edges.some((edge) => edge.label !== undefined) ? [label] : [])
  ]
}
