import type { Disc, Point } from '../edges/shapes.ts'
import type { Layout } from '../layout/places.ts'
import type { LineStyle, Shape } from '../model/shapes.ts'

/** The contents of a picture. Positions and sizes are in the picture's own units, measured from the upper left corner. */
export interface Picture {
  width: number
  height: number
  title: string
  /** Whether the title appears in a band above the drawing, which makes the picture taller. */
  isTitled?: boolean
  background: string
  ink: string
  /** Edges. A curved edge has the control point of a quadratic Bézier curve. An arrow is given by its corners. */
  edges: {
    from: Point
    to: Point
    control: Point | undefined
    colour: string
    width: number
    opacity: number
    style?: LineStyle | undefined
    arrow: [Point, Point, Point] | undefined
  }[]
  /** Loops. */
  rings: {
    x: number
    y: number
    radius: number
    colour: string
    width: number
    opacity: number
    style?: LineStyle | undefined
  }[]
  /** The squares in the picture of a large graph, grouped by colour. `corners` contains their upper left corners. */
  squares?: { colour: string; side: number; corners: Point[] }[]
  /** Nodes. The border, which lies outside the radius, has the colour of the background. */
  nodes: {
    x: number
    y: number
    radius: number
    border: number
    colour: string
    name: string
    shape?: Shape | undefined
    /** From 0 to 1. Opaque by default. */
    opacity?: number | undefined
    /** Whether the node lies beneath the edges, because others are highlighted. */
    isFaded?: boolean
  }[]
  /**
   * Labels, positioned at the left end of their baseline, most important first. The label of an edge has an angle, in radians
   * clockwise.
   */
  labels: {
    x: number
    y: number
    text: string
    isBold: boolean
    angle?: number
    /** The factor by which the label is larger than the font size. */
    scale?: number
    /** The line from the node to a label away from it. */
    leader?: [Point, Point] | undefined
  }[]
  /**
   * The labels that nodes would have if there were room, most important first, with the disc of the node and the other ends of its
   * edges, so that a print in another size can find places for them. Forced ones are drawn even where there is no room. Absent in
   * pictures of the server.
   */
  candidates?: {
    text: string
    isBold: boolean
    isForced?: boolean
    scale?: number
    disc: Disc
    ends: readonly Point[]
  }[]
  /** The font size of labels. Defaults to `LABEL_SIZE`. */
  labelSize?: number | undefined
  font?: 'sans' | 'serif' | undefined
  legend: LegendRow[]
  /** The colour of the samples of edges in the legend. Defaults to that of the text. */
  edgeSample?: string
  /** The left end of the legend, and the maximum number of its columns. */
  legendAt?: { left?: number; columns?: number } | undefined
  /**
   * The layout that was computed for the picture, for reuse. Absent if the content has positions, if its layout was known, or if
   * it is too large to draw its nodes.
   */
  layout?: Layout
  /** Whether the picture shows the density of nodes only until the layout of the content is known. */
  isProvisional?: boolean
}

/**
 * A row of a legend: text next to a colour, which may have the shape of nodes or the line of edges, or next to a sample of a size, or
 * below a colour ramp.
 */
export interface LegendRow {
  text: string
  isTitle?: boolean
  colour?: string
  shape?: Shape
  line?: LineStyle
  /** The radius of a node. */
  disc?: number
  /** The width of an edge. */
  stroke?: number
  ramp?: readonly string[]
}
