import { useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef } from 'react'
import { type Elements, isActive } from '../../../../picture/filter/filters.ts'
import { visibilityOf } from '../../../../picture/filter/visibility.ts'
import { withFormats } from '../../../../picture/model/formatting.ts'
import { darkPaper, lightPaper, paperIn } from '../../../../picture/sheet/paper.ts'
import type { GraphContent } from '../../api.ts'
import { usePath } from '../../paths/use-path.ts'
import { HIDDEN_NODES } from '../../shared/notify.ts'
import type { Element } from '../drawing/drawing.ts'
import { nodeFinder } from '../find-nodes.ts'
import { type KeptStyles, withAttribute } from '../look/value-style.ts'
import { edgeAttributes } from '../network/attributes.ts'
import type { Network } from '../network/network.ts'
import { nextNetwork } from '../network/next-network.ts'
import { useAppearance } from './use-appearance.ts'
import { useNodeAttributes } from './use-node-attributes.ts'
import { useStable } from './use-stable.ts'
import { useView } from './use-view.ts'
import type { View } from './view.ts'

/**
 * Returns the network of a graph's content, with its attributes and the appearance and selected element from the address. `stored` is
 * the content before the edit, if there is one: the first edges do not change colours and sizes while the user draws them.
 */
export function useGraphView(content: GraphContent, stored = content) {
  const isByEdges = stored.edges.length > 0
  const { read, readNow, change: changeView, open } = useView()
  const [filters, nodeSort, edgeSort] = [useStable(read.filters), useStable(read.nodeSort), useStable(read.edgeSort)]
  const style = useStable(read.style)
  const view: View = { ...read, filters, nodeSort, edgeSort, style }

  const scheme = useComputedColorScheme('light')
  const background = style?.background
  const paper = useMemo(() => paperIn(background, scheme === 'dark' ? darkPaper : lightPaper), [background, scheme])
  const network = useNetwork(content)
  const { nodes, measures, measured, colour } = useNodeAttributes(network, view, isByEdges)
  const edges = useEdgeAttributes(network, view)
  const active = useStable((filters ?? []).filter(isActive))
  const visible = useMemo(() => visibilityOf(network, active, { nodes, edges }), [network, active, nodes, edges])
  const look = useAppearance(network, view, { nodes, edges }, colour, isByEdges, visible, paper)

  const kept = useRef<KeptStyles>(new Map())
  const change = (changes: Partial<View>) => {
    if ('style' in changes) return changeView(changes)
    let changed = style
    const swap = (of: Elements, from: string | undefined, to: string | undefined) => {
      if (to !== undefined && to !== from) changed = withAttribute(changed, of, { from, to }, kept.current)
    }
    swap('nodes', look.colour?.key, changes.colour)
    swap('edges', look.edgeColour?.key, changes.edgeColour)
    changeView(changed === style ? changes : { ...changes, style: changed })
  }

  // Its undo would put the filters of this view into the address of another.
  useEffect(() => hideNotice, [])

  const finder = useMemo(() => nodeFinder(network, nodes), [network, nodes])
  const path = usePath(network, view.path, edges)

  const select = (element: Element | undefined) =>
    change({
      node: element?.kind === 'node' ? network.nodes[element.index]?.id : undefined,
      edge: element?.kind === 'edge' ? element.index : undefined
    })
  return {
    view,
    change,
    open: (...view: Parameters<typeof open>) => {
      hideNotice()
      return open(...view)
    },
    readNow,
    network,
    paper,
    selected: selectedOf(view, network),
    select,
    nodes,
    edges,
    finder,
    visible,
    measures,
    measured,
    look,
    path
  }
}

export type GraphViewState = ReturnType<typeof useGraphView>

const hideNotice = () => void notifications.hide(HIDDEN_NODES)

/** Returns the network of a graph's content, sharing as much as possible with the previous network. */
function useNetwork(content: GraphContent): Network {
  const kept = useRef<Network>(undefined)
  return useMemo(() => {
    kept.current = nextNetwork(content, kept.current)
    return kept.current
  }, [content])
}

/** Returns the attributes of the edges. Returns the same object while only nodes change. */
function useEdgeAttributes({ edges }: Network, { style }: View) {
  const formats = useStable(style?.edges?.formats)
  return useMemo(() => withFormats(edgeAttributes({ edges }), formats), [edges, formats])
}

function selectedOf({ node, edge }: View, { indexOf, edges }: Network): Element | undefined {
  const index = node === undefined ? undefined : indexOf.get(node)
  if (index !== undefined) return { kind: 'node', index }
  return edge !== undefined && edge < edges.length ? { kind: 'edge', index: edge } : undefined
}
