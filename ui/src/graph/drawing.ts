import { MultiGraph } from 'graphology'
import Sigma from 'sigma'
import type { EdgeDisplayData, NodeDisplayData } from 'sigma/types'
import { drawHover, drawLabel, type Paper } from './drawing-labels.ts'
import { DrawingOverlay, type Focus, MANY } from './drawing-overlay.ts'
import { edgeTypeOf, settingsOf } from './drawing-settings.ts'
import { edgeAt } from './edge-shapes.ts'
import { at, bendsOf, edgesOf, isLarge, type Network, otherEnd, type Positions } from './network.ts'
import { placesOf } from './places.ts'

/** How the nodes and edges look, by their numbers. */
export interface Appearance {
  nodeColour(node: number): string
  nodeSize(node: number): number
  nodeLabel(node: number): string
  edgeColour: ((edge: number) => string) | undefined
  edgeSize(edge: number): number
  hidden: Uint8Array | undefined
}

export type Element = { kind: 'node' | 'edge'; index: number }

export interface DrawingEvents {
  onSelect(element: Element | undefined): void
  /** Somebody has moved a node. */
  onMove(): void
}

/** What is marked (User Timing) when all has been handed to the graphics card. */
const DRAWN = 'graphstead-drawn'

/** A network on a canvas of WebGL. Nodes and edges are known to the renderer by their numbers, as text. */
export class Drawing {
  readonly #network: Network
  #graph: MultiGraph
  readonly #sigma: Sigma
  readonly #isLarge: boolean
  readonly #overlay: DrawingOverlay
  /** Of large networks, which are drawn with straight edges and without loops: none. */
  readonly #bends: Float32Array | undefined
  #appearance: Appearance
  #paper: Paper
  #scale = 1
  /** Of what is to happen in the next picture. */
  #frame = 0
  #selected: Element | undefined
  #hovered: number | undefined
  /** What stands out, with what is selected or hovered over; undefined where all is alike. */
  #focus: Focus | undefined

  constructor(
    container: HTMLElement,
    network: Network,
    positions: Positions,
    appearance: Appearance,
    paper: Paper,
    events: DrawingEvents
  ) {
    this.#network = network
    this.#appearance = appearance
    this.#paper = paper
    this.#isLarge = isLarge(network)
    this.#bends = this.#isLarge ? undefined : bendsOf(network)
    this.#graph = graphOf(network, positions, !this.#isLarge)
    this.#fit(container)
    this.#sigma = new Sigma(this.#graph, container, {
      ...settingsOf(network),
      defaultDrawNodeLabel: (context, data, settings) => drawLabel(context, data, settings, this.#paper),
      defaultDrawNodeHover: (context, data, settings) => drawHover(context, data, settings, this.#paper),
      nodeReducer: (key, { x, y }) => ({ x, y, ...this.#showNode(Number(key)) }),
      edgeReducer: (key) => this.#showEdge(Number(key))
    })
    this.#listen(events)
    this.#sigma.on('resize', () => this.#fit(container))
    this.#overlay = new DrawingOverlay(this.#sigma, network, this.#bends)
    this.#drawOverlay()
    this.#sigma.on('afterRender', () => this.#drawOverlay())
    if (this.#isLarge) this.#frame = requestAnimationFrame(() => this.#addEdges())
    else performance.mark(DRAWN)
  }

  /** Of a large one the nodes are seen first: to draw the edges takes several times as long. */
  #addEdges() {
    this.#frame = requestAnimationFrame(() => {
      this.#graph = graphOf(this.#network, this.positions, true)
      this.#sigma.setGraph(this.#graph)
      performance.mark(DRAWN)
    })
  }

  /** Nodes are smaller where there is less room. */
  #fit({ clientWidth, clientHeight }: HTMLElement) {
    this.#scale = Math.min(1, Math.max(0.45, Math.min(clientWidth, clientHeight) / 650))
  }

  #drawOverlay() {
    this.#overlay.clear()
    if (!this.#isLarge) this.#overlay.drawLoops()
    else if (this.#focus) this.#overlay.drawFocus(this.#focus, this.#center, this.#paper)
  }

  #showNode(node: number): Partial<NodeDisplayData> {
    const { nodeColour, nodeSize, nodeLabel, hidden } = this.#appearance
    const isHidden = hidden?.[node] === 1
    const focus = this.#isLarge ? undefined : this.#focus
    const isFocused = focus?.nodes.has(node)
    const isSelected = this.#selected?.kind === 'node' && this.#selected.index === node
    const isDim = focus !== undefined && !isFocused
    return {
      type: this.#isLarge ? 'point' : 'disc',
      hidden: isHidden,
      color: isDim ? this.#paper.dimNode : nodeColour(node),
      size: nodeSize(node) * this.#scale * (isSelected ? 1.4 : 1),
      label: isDim ? '' : nodeLabel(node),
      highlighted: isSelected || this.#hovered === node,
      forceLabel: isSelected || (isFocused === true && (focus?.nodes.size ?? 0) <= MANY),
      zIndex: isFocused ? 1 : 0
    }
  }

  #showEdge(edge: number): Partial<EdgeDisplayData> {
    const { edgeColour, edgeSize } = this.#appearance
    const focus = this.#isLarge ? undefined : this.#focus
    const isFocused = focus?.edges.has(edge)
    const isDim = focus !== undefined && !isFocused
    const curvature = this.#bends?.[edge] ?? 0
    const own = edgeColour?.(edge) ?? this.#paper.edge
    return {
      type: edgeTypeOf(this.#isLarge, this.#network.directed[edge] === 1, curvature !== 0),
      ...(curvature !== 0 && { curvature }),
      color: isFocused ? (edgeColour ? own : this.#paper.focusedEdge) : isDim ? this.#paper.dimEdge : own,
      size: edgeSize(edge) * (isFocused ? 1.3 : 1),
      zIndex: isFocused ? 1 : 0
    }
  }

  #listen({ onSelect, onMove }: DrawingEvents) {
    const sigma = this.#sigma
    let dragged: string | undefined
    let hasMoved = false
    sigma.on('enterNode', ({ node }) => this.#hover(Number(node)))
    sigma.on('leaveNode', () => this.#hover(undefined))
    sigma.on('clickNode', ({ node }) => !hasMoved && onSelect({ kind: 'node', index: Number(node) }))
    sigma.on('clickStage', ({ event }) => {
      const edge = edgeAt(this.#network, placesOf(sigma, this.#network), this.#bends, event)
      onSelect(edge === undefined ? undefined : { kind: 'edge', index: edge })
    })
    sigma.on('downNode', ({ node, preventSigmaDefault }) => {
      // Amid so many, whoever moves the whole would catch one of them.
      if (this.#isLarge) return
      dragged = node
      hasMoved = false
      preventSigmaDefault()
    })
    sigma.on('moveBody', ({ event, preventSigmaDefault }) => {
      if (dragged === undefined) return
      if (!hasMoved) sigma.setCustomBBox(sigma.getBBox())
      hasMoved = true
      const { x, y } = sigma.viewportToGraph(event)
      this.#graph.mergeNodeAttributes(dragged, { x, y })
      preventSigmaDefault()
      event.original.preventDefault()
    })
    const drop = () => {
      if (hasMoved && dragged !== undefined) onMove()
      dragged = undefined
    }
    sigma.on('upNode', drop)
    sigma.on('upStage', drop)
  }

  #hover(node: number | undefined) {
    this.#hovered = node
    this.#refocus()
  }

  /** The node that the focus is about. */
  get #center(): number | undefined {
    return this.#hovered ?? (this.#selected?.kind === 'node' ? this.#selected.index : undefined)
  }

  /** What is around the node that is hovered over, or else around what is selected, stands out. */
  #refocus() {
    this.#focus = this.#around()
    // To draw a large one anew takes its time.
    if (this.#isLarge) this.#drawOverlay()
    else this.#sigma.refresh({ skipIndexation: true })
  }

  #around(): Focus | undefined {
    const [center, selected] = [this.#center, this.#selected]
    if (center !== undefined) {
      const edges = edgesOf(this.#network, center)
      const others = edges.map((edge) => otherEnd(this.#network, edge, center))
      return { edges: new Set(edges), nodes: new Set([center, ...others]) }
    }
    if (selected === undefined) return undefined
    const ends = [at(this.#network.source, selected.index), at(this.#network.target, selected.index)]
    return { edges: new Set([selected.index]), nodes: new Set(ends) }
  }

  /** Shows the same network otherwise. */
  show(appearance: Appearance, paper: Paper) {
    if (appearance === this.#appearance && paper === this.#paper) return
    this.#appearance = appearance
    this.#paper = paper
    this.#sigma.refresh({ skipIndexation: false })
  }

  /** Makes a node or an edge stand out, with what is around it. */
  select(element: Element | undefined) {
    if (element?.kind === this.#selected?.kind && element?.index === this.#selected?.index) return
    this.#selected = element
    this.#refocus()
  }

  /** Goes to a node. */
  async goTo(node: number) {
    const display = this.#sigma.getNodeDisplayData(String(node))
    if (!display) return
    const camera = this.#sigma.getCamera()
    await camera.animate({ x: display.x, y: display.y, ratio: Math.min(camera.ratio, 0.5) }, { duration: motion(400) })
  }

  move(positions: Positions) {
    this.#sigma.setCustomBBox(null)
    this.#graph.updateEachNodeAttributes(
      (key, attributes) => {
        attributes.x = at(positions, Number(key) * 2)
        attributes.y = at(positions, Number(key) * 2 + 1)
        return attributes
      },
      { attributes: ['x', 'y'] }
    )
  }

  /** Where the nodes are now. */
  get positions(): Positions {
    const positions = new Float64Array(this.#network.nodes.length * 2)
    this.#graph.forEachNode((key, { x, y }) => positions.set([x, y], Number(key) * 2))
    return positions
  }

  /** For what draws it once more, elsewhere. */
  get sigma(): Sigma {
    return this.#sigma
  }

  /** What a node is called. */
  labelOf(node: number): string {
    return this.#appearance.nodeLabel(node)
  }

  /** How its edges bend, as `bendsOf` tells; undefined where they do not. */
  get bends(): Float32Array | undefined {
    return this.#bends
  }

  zoom(factor: number) {
    this.#sigma.getCamera().animate({ ratio: this.#sigma.getCamera().ratio / factor }, { duration: motion(150) })
  }

  /** Moves what is shown by a part of its width. */
  pan(x: number, y: number) {
    const camera = this.#sigma.getCamera()
    camera.animate({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, { duration: motion(120) })
  }

  /** Shows all of it. */
  fit() {
    this.#sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, { duration: motion(300) })
  }

  close() {
    cancelAnimationFrame(this.#frame)
    this.#sigma.kill()
  }
}

/** The network as the renderer knows it: keys are numbers as text. */
function graphOf({ nodes, edges, source, target, directed }: Network, positions: Positions, withEdges: boolean) {
  const graph = new MultiGraph()
  for (let node = 0; node < nodes.length; node++) {
    graph.addNode(node, { x: at(positions, node * 2), y: at(positions, node * 2 + 1) })
  }
  for (let edge = 0; withEdges && edge < edges.length; edge++) {
    const add = directed[edge] ? 'addDirectedEdgeWithKey' : 'addUndirectedEdgeWithKey'
    graph[add](edge, at(source, edge), at(target, edge))
  }
  return graph
}

/** Milliseconds of a movement, none for whoever wants none. */
function motion(milliseconds: number) {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : milliseconds
}

/** Whether the browser can draw by WebGL. */
export function canDraw() {
  const canvas = document.createElement('canvas')
  return Boolean(canvas.getContext('webgl2') ?? canvas.getContext('webgl'))
}
