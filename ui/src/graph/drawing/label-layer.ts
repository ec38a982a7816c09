import type Sigma from 'sigma'
import type { Point } from '../../../../picture/edges/shapes.ts'
import type { Box, Label, LabelPlace } from '../../../../picture/layout/label-boxes.ts'
import { labelEnds } from '../../../../picture/layout/label-ends.ts'
import { LabelPlaces } from '../../../../picture/layout/label-places.ts'
import { LABEL_SHARE, labelScale } from '../../../../picture/sheet/labels.ts'
import { type Paper, shorten } from '../../../../picture/sheet/paper.ts'
import type { Style } from '../../api.ts'
import { at, type Network } from '../network/network.ts'
import { drawLabel, drawLeaders, fontOf } from './labels.ts'
import { type Place, placeOf } from './places.ts'

/** The maximum number of nodes to try to label. */
const TRIED = 3000

/** A label in the drawing: its text, and where its baseline starts. */
interface DrawnLabel {
  node: number
  text: string
  x: number
  y: number
  scale: number
  leader: [Point, Point] | undefined
}

/** A label to draw if there is room, and anyway if it is forced. */
interface WantedLabel {
  node: number
  scale: number
  isForced: boolean
}

/** Draws the labels that fit without collisions. Larger nodes come first, then nodes with a higher degree. */
export class LabelLayer {
  readonly #sigma: Sigma
  readonly #network: Network
  /** The nodes by rank. */
  #order = new Uint32Array()
  #sizes = new Float64Array()
  #drawn: DrawnLabel[] = []
  #wanted: WantedLabel[] = []
  /** The widths of labels in this font, in pixels. Cached, because measuring takes longer than everything else. */
  readonly #widths = new Map<string, number>()
  #font = ''

  constructor(sigma: Sigma, network: Network) {
    this.#sigma = sigma
    this.#network = network
  }

  /** Ranks the nodes by size. */
  rank(sizeOf: (node: number) => number) {
    const { nodes, degree } = this.#network
    const sizes = Float64Array.from(nodes.keys(), sizeOf)
    this.#sizes = sizes
    this.#order = Uint32Array.from(nodes.keys()).sort(
      (one, other) => at(sizes, other) - at(sizes, one) || at(degree, other) - at(degree, one) || one - other
    )
  }

  /**
   * Draws the labels of `forced` nodes wherever they are, then those of `preferred` nodes and others that fit outside the covers.
   * The rule `all` also draws labels that collide, and `none` draws only those of forced and preferred nodes. Returns the places
   * that remain free.
   */
  draw(
    forced: ReadonlySet<number>,
    preferred: ReadonlySet<number>,
    covers: readonly Box[],
    paper: Paper,
    { rule = 'important', most, bySize }: NonNullable<Style['labels']> = {}
  ): LabelPlaces | undefined {
    const context = this.#sigma.getCanvases().labels?.getContext('2d')
    if (!context) return undefined
    const { width, height } = this.#sigma.getDimensions()
    const places = new LabelPlaces({ left: 0, top: 0, right: width, bottom: height }, covers)
    const seen = this.#inView(width, height, preferred)
    // Labels may cover faded nodes, which have none.
    for (const { place } of seen) if (place.label) places.addDisc(place)
    this.#drawn = []
    const font = fontOf(this.#sigma.getSettings())
    if (font !== this.#font) this.#widths.clear()
    this.#font = font
    context.font = font
    const { labelSize } = this.#sigma.getSettings()
    const scaleOf = labelScale(bySize, bySize ? this.#sizes : [])
    let covered = 0
    const label = (node: number, place: Place, find: (label: Label) => LabelPlace | undefined) => {
      const text = shorten(place.label)
      const scale = scaleOf(at(this.#sizes, node))
      const [textWidth, lineHeight] = [this.#widthOf(context, text) * scale, labelSize * scale + 2]
      const ends = labelEnds(this.#network, node, (end) => placeOf(this.#sigma, end))
      const box = find({ ...place, width: textWidth, height: lineHeight, ends })
      if (!box) return
      const y = (box.top + box.bottom) / 2 + (labelSize * scale) / 3
      const drawn = { node, text, x: box.left, y, scale, leader: box.leader }
      if (drawn.leader) drawLeaders(context, [drawn], paper)
      if (scale !== 1) context.font = fontOf(this.#sigma.getSettings(), scale)
      drawLabel(context, drawn, paper)
      context.font = font
      this.#drawn.push(drawn)
      covered += textWidth * lineHeight
    }
    for (const node of forced) {
      const place = placeOf(this.#sigma, node)
      // The plate of the node is to its right too.
      if (place?.label) label(node, place, ({ ends: _, ...label }) => places.force(label))
    }
    const wanted = seen.filter(({ node }) => preferred.has(node))
    const others = rule === 'none' ? [] : seen.slice(0, most).filter(({ node }) => !preferred.has(node))
    const nodes = new Set([...forced, ...[...wanted, ...others].map(({ node }) => node)])
    const isForced = (node: number) => rule === 'all' || forced.has(node)
    this.#wanted = [...nodes].map((node) => ({ node, scale: scaleOf(at(this.#sizes, node)), isForced: isForced(node) }))
    for (const [rank, { node, place }] of [...wanted, ...others].entries()) {
      if (rank >= wanted.length && rule === 'important' && covered >= width * height * LABEL_SHARE) break
      if (!place.label || forced.has(node)) continue
      label(node, place, (label) => places.take(label, rank) ?? (rule === 'all' ? places.force(label) : undefined))
    }
    return places
  }

  /** Returns the nodes in view that are preferred or rank highest. */
  #inView(width: number, height: number, preferred: ReadonlySet<number>): { node: number; place: Place }[] {
    const seen: { node: number; place: Place }[] = []
    for (const node of this.#order) {
      if (seen.length >= TRIED && preferred.size === 0) break
      if (seen.length >= TRIED && !preferred.has(node)) continue
      const place = placeOf(this.#sigma, node)
      if (!place || place.x < 0 || place.x > width || place.y < 0 || place.y > height) continue
      seen.push({ node, place })
    }
    return seen
  }

  #widthOf(context: CanvasRenderingContext2D, text: string): number {
    let width = this.#widths.get(text)
    if (width === undefined) {
      width = context.measureText(text).width
      this.#widths.set(text, width)
    }
    return width
  }

  /** The nodes that the last drawing would label if there were room, most important first. */
  get wanted(): readonly WantedLabel[] {
    return this.#wanted
  }

  /** The labels in the drawing. */
  get drawn(): readonly DrawnLabel[] {
    return this.#drawn
  }
}
