import type { Point } from '../edges/shapes.ts'

/** The contents of a picture, with positions and sizes in its units, from the upper left corner. */
export interface Picture {
  width: number
  height: number
  title: string
  /** Whether the title is written in a band above the drawing, which makes the picture higher. */
  isTitled?: boolean
  background: string
  ink: string
  /** Edges, with the control point of a quadratic Bézier curve if they bend, and the corners of their arrows. */
  edges: {
    from: Point
    to: Point
    control: Point | undefined
    colour: string
    width: number
    opacity: number
    arrow: [Point, Point, Point] | undefined
  }[]
  /** Loops. */
  rings: { x: number; y: number; radius: number; colour: string; width: number; opacity: number }[]
  /** Squares of the picture of a large graph, by colour: their upper left corners. */
  squares?: { colour: string; side: number; corners: Point[] }[]
  /** Nodes. Their borders, outside of the radius, have the colour of the background. */
  nodes: { x: number; y: number; radius: number; border: number; colour: string; name: string }[]
  /** Labels: the left ends of their base lines. */
  labels: { x: number; y: number; text: string; isBold: boolean }[]
  legend: LegendRow[]
  /** The layout on which the picture rests, for others of the same content; absent if the content has places, or is too large for one. */
  layout?: Float64Array
}

/** A row of a legend: text, with a colour or below a ramp of colours. */
export interface LegendRow {
  text: string
  isTitle?: boolean
  colour?: string
  ramp?: readonly string[]
}
