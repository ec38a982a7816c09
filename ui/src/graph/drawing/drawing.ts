import type { MultiGraph } from 'graphology'
import Sigma from 'sigma'
import { COLOURED, coverageOf, opacityOf, ownOpacity, shareOf } from '../../../../picture/edges/ink.ts'
import { edgeAt, type Point } from '../../../../picture/edges/shapes.ts'
import { EdgeTints } from '../../../../picture/edges/tints.ts'
import { labelEnds } from '../../../../picture/layout/label-ends.ts'
import type { Measures } from '../../../../picture/layout/placed.ts'
import type { LineStyle, Shape } from '../../../../picture/model/shapes.ts'
import type { EdgeLabel } from '../../../../picture/sheet/edge-labels.ts'
import { familyOf, LABEL_SIZE, type Paper, sampleColour, shorten } from '../../../../picture/sheet/paper.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'
import type { Style } from '../../api.ts'
import { noMarks } from '../marks/use-marks.ts'
import { at, bendsOf, edgesOf, isLarge, type Network, otherEnd, type Positions } from '../network/network.ts'
import { WholeView } from '../view/whole-view.ts'
import type { Cover } from './covers.ts'
import { DrawnNodes } from './drawn-nodes.ts'
import { drawEdgeLabels } from './edge-labels.ts'
import { PlainEdges } from './edges/plain-edges.ts'
import type { DrawnEdge } from './edges/program.ts'
import { ranksOf } from './edges/sample.ts'
import { LabelLayer } from './label-layer.ts'
import { drawHover } from './labels.ts'
import { isInside } from './lasso.ts'
import { hidesEdges, keepPace, showLayers } from './layers.ts'
import { MarkLayer } from './mark-layer.ts'
import { type Gesture, listenToMouse } from './mouse.ts'
import { pickByPosition } from './node-picking.ts'
import { DrawingOverlay, type EdgeLook, type Focus, MANY } from './overlay.ts'
import { PinLayer } from './pin-layer.ts'
import { placeOf, placesOf } from './places.ts'
import { graphOf } from './renderer-graph.ts'
import { BORDER, CLEAR, settingsOf, veilOf } from './settings.ts'
import type { ShapedNode } from './shape-program.ts'
import type { Camera, Frame, Stage } from './stage.ts'
import { nextInDirection, nodeNear } from './steps.ts'

/** The appearance of nodes and edges, by index, and the style of the whole drawing. */
export interface Appearance {
  nodeColour(node: number): string
  nodeSize(node: number): number
  nodeLabel(node: number): string
  /** The shapes of nodes and the lines of edges, if the style has any. */
  nodeShape?: ((node: number) => string | undefined) | undefined
  edgeLine?: ((edge: number) => string | undefined) | undefined
  style?: Style | undefined
  edgeColour: ((edge: number) => string) | undefined
  edgeSize(edge: number): number
  /** Absent if edges have no labels. */
  edgeLabel?: ((edge: number) => string) | undefined
  hidden: Uint8Array | undefined
  hiddenEdges: Uint8Array | undefined
}

export type Element = { kind: 'node' | 'edge'; index: number }

/** The place of a context menu, in pixels of the drawing and in coordinates of the graph, and the element there. */
export interface MenuPlace extends Point {
  element: Element | undefined
  position: Point
}

interface DrawingEvents {
  onSelect(element: Element | undefined): void
  /** Called with a node to add to the selected ones, or to remove from them. */
  onToggle(node: number): void
  /** Called with the nodes that a lasso encloses. */
  onEnclose(nodes: number[]): void
  /** Called after a drag from a node to another, or to an empty place. */
  onConnect(from: number, to: number | Point): void
  /** Called with a double-clicked place without nodes and edges. Returns whether this replaces zooming in. */
  onDoubleClick(place: Point): boolean
  /** Returns whether there is a menu. */
  onMenu(menu: MenuPlace): boolean
  /** Called after the user has moved nodes, with the positions before. */
  onMove(before: Positions): void
  /** Called when the camera moves. `camera` is undefined if the whole network is in view. */
  onView(camera: Camera | undefined): void
}

/** The maximum number of rings around selected nodes to show while a large drawing moves. */
const FEW_RINGS = 1000

/** The name of the User Timing mark that is set once the GPU has all the data. */
const DRAWN = 'graphstead-drawn'

/** Draws a network on a WebGL canvas. The renderer identifies nodes and edges by their indexes as strings. */
export class Drawing {
  readonly #network: Network
  readonly #stage: Stage
  readonly #graph: MultiGraph
  readonly #sigma: Sigma
  readonly #isLarge: boolean
  readonly #whole: WholeView
  readonly #overlay: DrawingOverlay
  readonly #labels: LabelLayer
  readonly #pins: PinLayer
  readonly #marks: MarkLayer
  /** Undefined for large networks, which are drawn with straight edges and without loops. */
  #bends: Float32Array | undefined
  #appearance: Appearance
  #paper: Paper
  #tints: EdgeTints
  /** The ranks of edges in a large network. */
  #ranks: Float32Array | undefined
  /** The result of `coverageOf`. */
  #coverage = 0
  #scale = 1
  /** The id of the pending animation frame. */
  #frame = 0
  #selected: Element | undefined
  #hovered: number | undefined
  /** The path that is highlighted while no node is hovered. */
  #path: Focus | undefined
  #pinned: ReadonlySet<number> = new Set()
  #edgeLabels: EdgeLabel[] = []
  #marked: ReadonlySet<number> = new Set()
  /** The positions before the current drag. */
  #undragged: Positions | undefined
  /** The path of the current gesture. */
  #trail: readonly Point[] = []
  /** Whether a drag is connecting nodes. */
  #isConnecting = false
  #isEdited = false
  /** The gesture of a plain drag, and whether the user may connect nodes and select several. */
  gestures: { plain: Gesture | undefined; mayConnect: boolean; mayMark: boolean } = {
    plain: undefined,
    mayConnect: false,
    mayMark: false
  }
  /** The highlight around the selected or hovered element, if any. */
  #focus: Focus | undefined

  constructor(
    container: HTMLElement,
    stage: Stage,
    appearance: Appearance,
    paper: Paper,
    covers: () => Cover[],
    events: DrawingEvents
  ) {
    const { network, positions, camera } = stage
    this.#network = network
    this.#stage = stage
    this.#appearance = appearance
    this.#paper = paper
    this.#tints = new EdgeTints(network, appearance.nodeColour, paper.edge)
    this.#isLarge = isLarge(network)
    this.#bends = this.#bend(appearance)
    this.#graph = graphOf(network, positions, !this.#isLarge)
    if (this.#isLarge) this.#ranks = ranksOf(network, appearance.hiddenEdges)
    this.#fit(container)
    this.#weigh()
    this.#sigma = new Sigma(this.#graph, container, {
      ...settingsOf(
        network,
        (sigma) => this.#opacityIn(sigma),
        () => this.#nodeOpacity
      ),
      labelSize: appearance.style?.labels?.size ?? LABEL_SIZE,
      labelFont: familyOf(appearance.style?.labels?.font),
      defaultDrawNodeHover: (context, data, settings) => drawHover(context, data, settings, this.#paper),
      nodeReducer: (key, { x, y }) => ({ x, y, ...this.#showNode(Number(key)) }),
      edgeReducer: (key) => this.#showEdge(Number(key))
    })
    const nodes = new DrawnNodes(this.#sigma, network.nodes.length)
    pickByPosition(this.#sigma, nodes)
    this.#whole = new WholeView(this.#sigma, nodes, (node) => this.#radiusOf(node), covers)
    if (stage.frame) this.#hold(stage.frame)
    else if (camera) this.#sigma.getCamera().setState(camera)
    else this.#whole.show()
    this.#listen(events)
    if (stage.frame) this.#remember(events.onView)
    this.#sigma.on('afterProcess', () => this.uncover())
    this.#sigma.on('resize', () => {
      this.#fit(container)
      this.#whole.invalidate()
    })
    this.#overlay = new DrawingOverlay(this.#sigma, network, this.#bends, (edge) => this.edgeLook(edge))
    this.#labels = new LabelLayer(this.#sigma, network)
    this.#pins = new PinLayer(this.#sigma)
    this.#marks = new MarkLayer(this.#sigma)
    this.#labels.rank(appearance.nodeSize)
    showLayers(this.#sigma, { edgeLabels: false })
    keepPace(this.#sigma)
    this.#drawAbove()
    this.#sigma.on('afterRender', () => this.#drawAbove())
    if (this.#isLarge) this.#frame = requestAnimationFrame(() => this.#addEdges(nodes))
    else performance.mark(DRAWN)
  }

  /** Adds the edges of a large network after its nodes, because edges take several times as long to draw. */
  #addEdges(nodes: DrawnNodes) {
    this.#frame = requestAnimationFrame(() => {
      const look = (edge: number) => ({ ...this.#showEdge(edge), rank: this.#ranks?.[edge] ?? 0 })
      const ink = (sigma: Sigma) => ({ opacity: this.#opacityIn(sigma), share: shareOf(this.#coverageIn(sigma)) })
      new PlainEdges(this.#sigma, this.#network, nodes, look, ink)
      performance.mark(DRAWN)
    })
  }

  /** Measures how densely edges cover the drawing. */
  #weigh() {
    const { edgeSize, hiddenEdges } = this.#appearance
    this.#coverage = coverageOf(this.#network, this.#stage.positions, edgeSize, hiddenEdges)
  }

  /** Returns the bends of edges, or undefined if the network is large. */
  #bend({ style }: Appearance) {
    return this.#isLarge ? undefined : bendsOf(this.#network, style?.edges?.curvature)
  }

  get #nodeOpacity(): number {
    return this.#appearance.style?.nodes?.opacity ?? 1
  }

  /** Returns the opacity of unemphasized edges in the visible part. */
  #opacityIn(sigma: Sigma): number {
    return this.#appearance.style?.edges?.opacity ?? opacityOf(this.#coverageIn(sigma))
  }

  /** Returns how densely edges cover the visible part. */
  #coverageIn(sigma: Sigma): number {
    const [from, to] = [sigma.graphToViewport({ x: 0, y: 0 }), sigma.graphToViewport({ x: 1, y: 0 })]
    return this.#coverage / Math.hypot(to.x - from.x, to.y - from.y)
  }

  /** Scales nodes down in small windows. */
  #fit({ clientWidth, clientHeight }: HTMLElement) {
    this.#scale = Math.min(1, Math.max(0.45, Math.min(clientWidth, clientHeight) / 650))
  }

  #drawOverlay() {
    const edges = !hidesEdges(this.#sigma)
    const highlights = edges && this.center !== undefined
    const overlay = this.#isLarge ? edges && this.#focus !== undefined : this.#overlay.hasLoops
    const pins = this.#pinned.size > 0
    showLayers(this.#sigma, { edges, hovers: highlights, hoverNodes: highlights, overlay, pins })
    this.#overlay.clear()
    if (!this.#isLarge) this.#overlay.drawLoops()
    else if (edges && this.#focus)
      this.#overlay.drawFocus(this.#focus, this.center, this.#traced !== undefined, this.#paper)
  }

  #drawAbove() {
    // The samples of the legend have the scale of the whole view.
    const above = this.#sigma.getContainer().parentElement
    if (!this.#stage.camera) above?.style.setProperty('--node-scale', this.nodeScale.toFixed(3))
    above?.style.setProperty('--edge-sample', this.edgeSample)
    this.#drawOverlay()
    this.#pins.draw(this.#pinned, this.#paper)
    this.#drawMarks()
    const around = !this.#isLarge && this.#focus && this.#focus.nodes.size <= MANY ? this.#focus.nodes : undefined
    const traced = this.#traced?.nodes
    const pathEnds = this.#focus === this.#path ? [...(this.#path?.nodes ?? [])] : []
    const { kind, index } = this.#selected ?? {}
    const shown = [kind === 'node' ? index : undefined, this.#hovered, pathEnds[0], pathEnds.at(-1)]
    const centers = shown.filter((node) => node !== undefined)
    const labels = this.#appearance.style?.labels
    const free = this.#labels.draw(
      new Set(centers),
      traced ?? around ?? new Set(),
      this.#whole.covers,
      this.#paper,
      traced ? { ...labels, rule: 'none' } : labels
    )
    const { edgeLabel, hiddenEdges } = this.#appearance
    this.#edgeLabels = []
    if (!edgeLabel || !free || this.#isLarge || hidesEdges(this.#sigma)) return
    const edges = this.#focus?.edges ?? this.#network.edges.keys()
    this.#edgeLabels = drawEdgeLabels(
      this.#sigma,
      this.#network,
      this.#bends,
      edges,
      (edge) => (hiddenEdges?.[edge] === 1 ? '' : edgeLabel(edge)),
      free,
      this.#paper
    )
  }

  /** Returns the radius of a node, including its border, when the whole network is in view. */
  #radiusOf(node: number): number {
    return this.#appearance.nodeSize(node) * this.#scale + (this.#isLarge ? 0 : BORDER)
  }

  #showNode(node: number): Partial<ShapedNode> & { borderColor: string } {
    const { nodeColour, nodeLabel, nodeShape, hidden } = this.#appearance
    const shape = (nodeShape?.(node) ?? 'ellipse') as Shape
    const isHidden = hidden?.[node] === 1
    const focus = this.#isLarge ? undefined : this.#focus
    const isFocused = focus?.nodes.has(node)
    const isSelected = this.#selected?.kind === 'node' && this.#selected.index === node
    const isDim = !this.#isLarge && this.isFaded(node)
    return {
      type: this.#isLarge ? 'point' : shape === 'ellipse' && this.#nodeOpacity === 1 ? 'disc' : 'shape',
      shape,
      hidden: isHidden,
      color: isDim ? veilOf(this.#paper) : nodeColour(node),
      borderColor: isDim ? CLEAR : this.#paper.background,
      size: this.#radiusOf(node) * (isSelected ? 1.4 : 1),
      label: isDim ? '' : nodeLabel(node),
      highlighted: isSelected || this.#hovered === node,
      zIndex: isFocused ? 1 : 0
    }
  }

  #showEdge(edge: number): Omit<DrawnEdge, 'label' | 'forceLabel'> {
    const { edgeColour, edgeSize, edgeLine, hiddenEdges, style } = this.#appearance
    const { arrows = true, opacity } = style?.edges ?? {}
    const focus = this.#isLarge ? undefined : this.#focus
    const isSelected = !this.#isLarge && this.#selected?.kind === 'edge' && this.#selected.index === edge
    const isFocused = isSelected || focus?.edges.has(edge)
    const isDim = focus !== undefined && !isFocused
    const bend = this.#bends?.[edge] ?? 0
    const own = edgeColour?.(edge) ?? this.#tints.of(edge)
    return {
      type: bend === 0 ? 'line' : 'curve',
      hidden: hiddenEdges?.[edge] === 1,
      bend,
      line: edgeLine?.(edge) as LineStyle | undefined,
      hasArrow: arrows && !this.#isLarge && this.#network.directed[edge] === 1,
      color: isFocused ? (edgeColour ? own : this.#paper.focusedEdge) : isDim ? this.#paper.dimEdge : own,
      // Edges whose colour represents a value are more opaque, unless the style has an opacity.
      emphasis: isFocused ? 1 : edgeColour && !isDim && opacity === undefined ? COLOURED : 0,
      size: edgeSize(edge) * (isFocused ? 1.3 : 1),
      zIndex: isFocused ? 1 : 0
    }
  }

  #listen({ onSelect, onMove, onView, ...events }: DrawingEvents) {
    const sigma = this.#sigma
    sigma.getCamera().on('updated', ({ x, y, ratio }) => {
      const before = this.#stage.camera
      const isWhole = this.#whole.isShownBy({ x, y, ratio })
      this.#stage.camera = isWhole ? undefined : { x, y, ratio }
      if (this.#stage.frame) this.#remember(() => {})
      if (before || !isWhole) onView(this.#stage.camera)
    })
    // In a large drawing, dragging to pan would often catch a node.
    listenToMouse(sigma, !this.#isLarge, {
      onHover: (node) => this.point(node),
      onClickNode: (node, isShift) => {
        if (isShift && this.gestures.mayMark) events.onToggle(node)
        else onSelect({ kind: 'node', index: node })
      },
      onClickStage: (point) => onSelect(this.#edgeAt(point)),
      onDoubleClick: (point) => !this.#edgeAt(point) && events.onDoubleClick(sigma.viewportToGraph(point)),
      onMenu: (point, node) =>
        events.onMenu(this.#menuAt(point, node === undefined ? this.#edgeAt(point) : { kind: 'node', index: node })),
      onDrag: (node, point) => this.#drag(node, sigma.viewportToGraph(point)),
      gestureOf: ({ shiftKey, altKey }, node) => {
        const { plain, mayConnect, mayMark } = this.gestures
        if (mayMark && (shiftKey || plain === 'lasso')) return 'lasso'
        return mayConnect && node !== undefined && (altKey || plain === 'connect') ? 'connect' : undefined
      },
      onGesture: (gesture, path, node, isDone) => {
        const end = path.at(-1)
        const wasConnecting = this.#isConnecting
        this.#isConnecting = gesture === 'connect' && !isDone
        if (!isDone) this.#trail = gesture === 'lasso' ? path : [path[0], end].filter((point) => !!point)
        else this.#trail = []
        if (this.#isConnecting !== wasConnecting) this.#refocus()
        this.#drawMarks(gesture === 'lasso')
        if (!isDone) return
        if (gesture === 'lasso') events.onEnclose(this.#inside(path))
        else if (node !== undefined && end) {
          const to = this.#hovered ?? (this.#isBare(end) ? sigma.viewportToGraph(end) : undefined)
          if (to !== undefined && to !== node) events.onConnect(node, to)
        }
      },
      onDrop: () => {
        if (this.#stage.frame) this.#remember(onView)
        else this.#refit()
        if (this.#undragged) onMove(this.#undragged)
        this.#undragged = undefined
      }
    })
  }

  /** Returns whether a point is in view, and not covered by tools or legends. */
  #isBare({ x, y }: Point): boolean {
    const { width, height } = this.#sigma.getDimensions()
    const { covers } = this.#whole
    const isCovered = covers.some(({ left, right, top, bottom }) => left < x && x < right && top < y && y < bottom)
    return x > 0 && x < width && y > 0 && y < height && !isCovered
  }

  #edgeAt(point: Point): Element | undefined {
    const { hiddenEdges } = this.#appearance
    const index = edgeAt(this.#network, placesOf(this.#sigma, this.#network), this.#bends, point, hiddenEdges)
    return index === undefined ? undefined : { kind: 'edge', index }
  }

  #menuAt({ x, y }: Point, element: Element | undefined): MenuPlace {
    return { x, y, element, position: this.#sigma.viewportToGraph({ x, y }) }
  }

  /** Returns the place of the context menu for a node, or for the whole drawing if the node is undefined or hidden. */
  menuOf(node: number | undefined): MenuPlace {
    const { width, height } = this.#sigma.getDimensions()
    const place = node === undefined ? undefined : placeOf(this.#sigma, node)
    if (node === undefined || !place) return this.#menuAt({ x: width / 2, y: height / 2 }, undefined)
    return this.#menuAt(place, { kind: 'node', index: node })
  }

  /** Returns the visible nodes within a polygon. */
  #inside(polygon: readonly Point[]): number[] {
    return placesOf(this.#sigma, this.#network).flatMap((place, node) =>
      place && isInside(polygon, place) ? [node] : []
    )
  }

  /** Moves a node, along with all other selected nodes if it is one of them. */
  #drag(node: number, { x, y }: Point) {
    const { positions } = this.#stage
    this.#undragged ??= positions.slice()
    // Keeps the rest of the drawing still while a node is dragged outside the extent.
    if (!this.#sigma.getCustomBBox()) this.#sigma.setCustomBBox(this.#sigma.getBBox())
    const [right, up] = [x - at(positions, node * 2), y - at(positions, node * 2 + 1)]
    for (const moved of this.#marked.has(node) ? this.#marked : [node]) {
      const place = { x: at(positions, moved * 2) + right, y: at(positions, moved * 2 + 1) + up }
      positions.set([place.x, place.y], moved * 2)
      this.#graph.mergeNodeAttributes(moved, place)
    }
  }

  /** Shows the nodes that are selected together. */
  mark(nodes: ReadonlySet<number>) {
    if (nodes === this.#marked) return
    this.#marked = nodes
    this.#drawMarks()
  }

  #drawMarks(isLasso = false) {
    // Thousands of rings would slow the drawing down while it moves.
    const isHidden = this.#marked.size > FEW_RINGS && hidesEdges(this.#sigma)
    this.#marks.draw(isHidden ? noMarks : this.#marked, this.#trail, isLasso, this.#paper)
  }

  /** Highlights a node as if it were hovered. If `node` is undefined, removes the highlight. */
  point(node: number | undefined) {
    if (node === this.#hovered) return
    this.#hovered = node
    this.#refocus()
  }

  /** Returns the node at the centre of the highlight. */
  get center(): number | undefined {
    return this.#hovered ?? (this.#selected?.kind === 'node' ? this.#selected.index : undefined)
  }

  /** Highlights the hovered node and its surroundings, or else the path, or else the selection and its surroundings. */
  #refocus() {
    this.#focus = this.#around()
    // Redrawing a large network would be slow.
    if (this.#isLarge) this.#drawOverlay()
    else this.#sigma.refresh({ skipIndexation: true })
  }

  #around(): Focus | undefined {
    const selected = this.#selected
    if (this.#path && this.#hovered === undefined) return this.#path
    // An editor needs the names of all nodes, so the selection fades none. Hovering still does, except while connecting nodes.
    const center = this.#isConnecting ? undefined : this.#isEdited ? this.#hovered : this.center
    if (center !== undefined) {
      const { hiddenEdges } = this.#appearance
      const edges = edgesOf(this.#network, center).filter((edge) => hiddenEdges?.[edge] !== 1)
      const others = edges.map((edge) => otherEnd(this.#network, edge, center))
      return { edges: new Set(edges), nodes: new Set([center, ...others]) }
    }
    if (selected?.kind !== 'edge' || (this.#isEdited && !this.#isLarge)) return undefined
    const ends = [at(this.#network.source, selected.index), at(this.#network.target, selected.index)]
    return { edges: new Set([selected.index]), nodes: new Set(ends) }
  }

  /** Sets the appearance of the network. */
  show(appearance: Appearance, paper: Paper) {
    if (appearance === this.#appearance && paper === this.#paper) return
    if (appearance.nodeSize !== this.#appearance.nodeSize) this.#labels.rank(appearance.nodeSize)
    if (appearance.nodeColour !== this.#appearance.nodeColour || paper !== this.#paper) {
      this.#tints = new EdgeTints(this.#network, appearance.nodeColour, paper.edge)
    }
    if (this.#ranks && appearance.hiddenEdges !== this.#appearance.hiddenEdges) {
      this.#ranks = ranksOf(this.#network, appearance.hiddenEdges)
    }
    const { style } = this.#appearance
    this.#appearance = appearance
    this.#paper = paper
    if (appearance.style?.edges?.curvature !== style?.edges?.curvature) this.#bends = this.#bend(appearance)
    this.#sigma.setSetting('labelSize', appearance.style?.labels?.size ?? LABEL_SIZE)
    this.#sigma.setSetting('labelFont', familyOf(appearance.style?.labels?.font))
    this.#weigh()
    this.#sigma.refresh({ skipIndexation: false })
  }

  /** Highlights a node or edge together with its surroundings. */
  select(element: Element | undefined) {
    if (element?.kind === this.#selected?.kind && element?.index === this.#selected?.index) return
    this.#selected = element
    this.#refocus()
  }

  /** Sets whether the graph is being edited. Meanwhile, a selected node or edge does not fade the others. */
  edit(isEdited: boolean) {
    if (isEdited === this.#isEdited) return
    this.#isEdited = isEdited
    this.#refocus()
  }

  /** Highlights a path, which takes precedence over the selected element. */
  trace(path: Focus | undefined) {
    if (path === this.#path) return
    this.#path = path
    this.#refocus()
    // Only the nodes on the path have labels.
    if (this.#isLarge) this.#sigma.scheduleRender()
  }

  /** The highlighted path of a large drawing. */
  get #traced(): Focus | undefined {
    return this.#isLarge && this.#focus === this.#path ? this.#path : undefined
  }

  /** Marks the pinned nodes. */
  pin(nodes: ReadonlySet<number>) {
    if (nodes === this.#pinned) return
    this.#pinned = nodes
    showLayers(this.#sigma, { pins: nodes.size > 0 })
    this.#pins.draw(nodes, this.#paper)
  }

  /** Moves the camera to a node. */
  async goTo(node: number) {
    const display = this.#sigma.getNodeDisplayData(String(node))
    if (!display) return
    await this.#glide({ x: display.x, y: display.y, ratio: Math.min(this.#sigma.getCamera().ratio, 0.5) }, 400)
  }

  /** Moves the camera to show all of these nodes that are not hidden, unless they are in view. */
  reveal(nodes: Iterable<number>) {
    const shown = [...nodes].filter((node) => placeOf(this.#sigma, node))
    const isSeen = shown.every((node) => this.#isBare(placeOf(this.#sigma, node) as Point))
    if (!isSeen) this.#glide(this.#whole.cameraFor(shown), 400)
  }

  /** Moves the drawn nodes to the positions of the stage. */
  move() {
    const { positions } = this.#stage
    this.#weigh()
    this.#whole.invalidate()
    this.#release()
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

  /**
   * Recomputes the camera for the new extent of the nodes after one was moved. The visible part stays the same. Otherwise,
   * links to the view, which are opened with the new extent, would show a different part.
   */
  #refit() {
    const sigma = this.#sigma
    const before = sigma.getCustomBBox()
    if (!before) return
    const { frame } = this
    sigma.setCustomBBox(null).refresh()
    const now = sigma.getBBox()
    if (String([before.x, before.y]) !== String([now.x, now.y])) sigma.getCamera().setState(this.#cameraOf(frame, now))
  }

  /** The visible part. It describes the same part after nodes and the container have moved. */
  get frame(): Frame {
    // The renderer itself learns of a moved camera only when it draws.
    const cameraState = this.#sigma.getCamera().getState()
    const { width, height } = this.#sigma.getDimensions()
    const [point, right] = [
      { x: width / 2, y: height / 2 },
      { x: width, y: height / 2 }
    ].map((point) => this.#sigma.viewportToGraph(point, { cameraState })) as [Point, Point]
    const { left, top } = this.#sigma.getContainer().getBoundingClientRect()
    const box = this.#sigma.getCustomBBox() ?? this.#sigma.getBBox()
    const place = { x: left + width / 2, y: top + height / 2 }
    return { box, point, place, pixel: (right.x - point.x) / (width / 2) }
  }

  /** Returns the camera that shows a frame if the nodes have this extent. */
  #cameraOf({ point, pixel }: Frame, { x: [left, right], y: [bottom, top] }: Frame['box']): Camera {
    const [width, height] = [right - left, top - bottom]
    const extent = Math.max(width, height) || 1
    const options = {
      cameraState: { x: 0.5, y: 0.5, ratio: 1, angle: 0 },
      graphDimensions: { width: width || 1, height: height || 1 }
    }
    const [from, to] = [0, 1].map((x) => this.#sigma.framedGraphToViewport({ x, y: 0 }, options)) as [Point, Point]
    return {
      x: 0.5 + (point.x - (left + right) / 2) / extent,
      y: 0.5 + (point.y - (bottom + top) / 2) / extent,
      ratio: ((to.x - from.x) * pixel) / extent
    }
  }

  /** Shows a frame at its place in the window, with its extent, on which the sizes of nodes depend. */
  #hold(frame: Frame) {
    const { point, place, pixel, box } = frame
    this.#sigma.setCustomBBox(box).refresh()
    const now = this.frame.place
    const centre = { x: point.x + (now.x - place.x) * pixel, y: point.y - (now.y - place.y) * pixel }
    this.#sigma.getCamera().setState(this.#cameraOf({ ...frame, point: centre }, box))
  }

  /** Updates the frame, and the camera for the current extent, which applies after the edit. */
  #remember(onView: DrawingEvents['onView']) {
    this.#stage.frame = this.frame
    if (!this.#stage.camera) return
    this.#stage.camera = this.#cameraOf(this.frame, this.#sigma.getBBox())
    onView(this.#stage.camera)
  }

  /** Ends the frame. */
  #release() {
    const { frame, camera } = this.#stage
    if (!frame) return
    this.#stage.frame = undefined
    this.#sigma.setCustomBBox(null).refresh()
    if (camera) this.#sigma.getCamera().setState(camera)
  }

  /** The renderer, used for pictures. */
  get sigma(): Sigma {
    return this.#sigma
  }

  /** Returns the look of an edge, or undefined if it is hidden or omitted from a dense drawing. */
  edgeLook(edge: number): EdgeLook | undefined {
    const { hidden, size, color: colour, emphasis, line: style } = this.#showEdge(edge)
    if (hidden || (this.#ranks?.[edge] ?? 0) > shareOf(this.#coverageIn(this.#sigma))) return undefined
    const isTraced = this.#traced?.edges.has(edge)
    if (isTraced) return { colour: this.#paper.focusedEdge, width: 2, opacity: 1 }
    const opacity = ownOpacity(this.#opacityIn(this.#sigma), emphasis)
    return { colour: this.#traced ? this.#paper.dimEdge : colour, width: size, opacity, style }
  }

  /** Returns the radii of the nodes when the whole network is in view, and the space available for their centres, in pixels. */
  get measures(): Measures {
    const { nodes } = this.#network
    const { width, height } = this.#sigma.getDimensions()
    const margins = this.#sigma.getStagePadding() * 2
    const radii = Float32Array.from(nodes, (_, node) => this.#radiusOf(node))
    return { radii, space: { width: Math.max(width - margins, 1), height: Math.max(height - margins, 1) } }
  }

  /** Returns whether a node is faded because others are highlighted. */
  isFaded(node: number): boolean {
    const focus = this.#isLarge ? this.#traced : this.#focus
    return focus !== undefined && !focus.nodes.has(node)
  }

  /** Returns the shape of a node, and its opacity. */
  lookOf(node: number) {
    const shape = this.#appearance.nodeShape?.(node) as Shape | undefined
    return this.#isLarge ? {} : { shape, opacity: this.#nodeOpacity }
  }

  get style(): Style {
    return this.#appearance.style ?? {}
  }

  /** The factor by which the visible part scales the sizes of nodes. */
  get nodeScale(): number {
    return this.#sigma.scaleSize(this.#scale)
  }

  /** The colour of the samples of edges in the legend. */
  get edgeSample(): string {
    const { edgeColour, style } = this.#appearance
    const emphasis = edgeColour && style?.edges?.opacity === undefined ? COLOURED : 0
    return sampleColour(this.#paper, ownOpacity(this.#opacityIn(this.#sigma), emphasis))
  }

  /** Returns the label of a node. */
  labelOf(node: number): string {
    return this.#appearance.nodeLabel(node)
  }

  /** The bends of edges, from `bendsOf`. Undefined if edges are straight. */
  get bends(): Float32Array | undefined {
    return this.#bends
  }

  /** Animates the camera for `duration` milliseconds, or moves it immediately if the user prefers reduced motion. */
  async #glide(state: Partial<Camera>, duration: number) {
    const camera = this.#sigma.getCamera()
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) camera.setState(state)
    else await camera.animate(state, { duration })
  }

  zoom(factor: number) {
    this.#glide({ ratio: this.#sigma.getCamera().ratio / factor }, 150)
  }

  /** Highlights the next node in a direction, given as a unit vector in pixels. Brings the node into view and returns it. */
  step(direction: Point): number | undefined {
    const places = placesOf(this.#sigma, this.#network)
    const { width, height } = this.#sigma.getDimensions()
    const center = this.center
    const isVisible = center !== undefined && places[center] !== undefined
    const next = isVisible
      ? nextInDirection(this.#network, places, center, direction)
      : nodeNear(places, { x: width / 2, y: height / 2 })
    const place = next === undefined ? undefined : places[next]
    if (next === undefined || !place) return center
    this.point(next)
    const display = this.#sigma.getNodeDisplayData(String(next))
    const isInView = place.x > 0 && place.x < width && place.y > 0 && place.y < height
    if (display && !isInView) this.#glide({ x: display.x, y: display.y }, 200)
    return next
  }

  /** The labels in the drawing. Highlighted labels are bold. */
  get labelled(): Picture['labels'] {
    const nodes = this.#labels.drawn.map(({ node, ...label }) => ({ ...label, isBold: node === this.center }))
    return [...nodes, ...this.#edgeLabels.map((label) => ({ ...label, isBold: false }))]
  }

  /** The labels of nodes that the drawing would show if there were room, most important first. */
  get candidates(): Picture['candidates'] {
    return this.#labels.wanted.flatMap(({ node, ...wanted }) => {
      const disc = placeOf(this.#sigma, node)
      if (!disc?.label) return []
      const ends = labelEnds(this.#network, node, (end) => placeOf(this.#sigma, end))
      return [{ text: shorten(disc.label), isBold: node === this.center, disc, ends, ...wanted }]
    })
  }

  /** Moves the camera by a fraction of the width. */
  pan(x: number, y: number) {
    const camera = this.#sigma.getCamera()
    this.#glide({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, 120)
  }

  /** Shows the part of the network that the camera describes, or the whole network. */
  moveTo(camera: Camera | undefined) {
    this.#release()
    if (camera) this.#glide(camera, 300)
    else this.fit()
  }

  /** Must be called after the elements that cover the drawing change. If the whole network is in view, keeps it there. */
  uncover() {
    this.#whole.update(!this.#stage.camera && !this.#stage.frame)
  }

  /** Shows the whole network, also with the nodes that an edit has added outside its frame. */
  fit() {
    this.#refit()
    this.#glide(this.#whole.computeCamera(), 300)
  }

  close() {
    cancelAnimationFrame(this.#frame)
    // The renderer does not stop a camera animation that is already running.
    this.#sigma.getCamera().removeAllListeners()
    this.#sigma.getCamera().disable()
    this.#sigma.kill()
  }
}
