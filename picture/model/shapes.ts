/** The names of node shapes in CX2, DOT, GEXF, Mermaid and yFiles, by the shape that they denote. */
const SHAPES = {
  ellipse: ['ellipse', 'disc', 'circle', 'circ', 'oval'],
  rectangle: ['rectangle', 'square', 'box', 'rect'],
  'round-rectangle': ['round-rectangle', 'roundrectangle', 'rounded'],
  triangle: ['triangle', 'tri'],
  diamond: ['diamond', 'diam'],
  hexagon: ['hexagon', 'hex'],
  octagon: ['octagon'],
  parallelogram: ['parallelogram', 'lean-r'],
  vee: ['vee']
} as const
export type Shape = keyof typeof SHAPES

const LINE_STYLES = {
  solid: ['solid', 'line'],
  dashed: ['dashed', 'dash', 'long-dash', 'equal-dash'],
  dotted: ['dotted', 'dot'],
  double: ['double', 'parallel-lines']
} as const
export type LineStyle = keyof typeof LINE_STYLES

/** The shapes and line styles from which a style may choose. */
export const shapes = Object.keys(SHAPES) as Shape[]
export const lineStyles = ['solid', 'dashed', 'dotted'] as const satisfies LineStyle[]

const shapesByName = byName(SHAPES)
const lineStylesByName = byName(LINE_STYLES)

/** Returns the shape of a node with this name. */
export function shapeOf(name: unknown): Shape | undefined {
  return typeof name === 'string' ? shapesByName.get(plain(name)) : undefined
}

/** Returns the line style with this name. */
export function lineStyleOf(name: unknown): LineStyle | undefined {
  return typeof name === 'string' ? lineStylesByName.get(plain(name)) : undefined
}

function byName<T extends string>(names: Record<T, readonly string[]>) {
  return new Map(
    Object.entries<readonly string[]>(names).flatMap(([meaning, all]) => all.map((name) => [name, meaning as T]))
  )
}

function plain(name: string) {
  return name.length > 20 ? '' : name.toLowerCase().replace(/[ _]/g, '-')
}

/**
 * Returns the lengths of the dashes and gaps of a line of this width, or an empty list if it has no gaps. They are those of a line of
 * one pixel if it is thinner.
 */
export function dashesOf(style: LineStyle | undefined, width: number): number[] {
  const unit = Math.max(width, 1)
  if (style === 'dashed') return [unit * 4, unit * 2]
  return style === 'dotted' ? [unit, unit * 2] : []
}

/** The corners of each shape, in a square from -1 to 1, with y increasing downwards. An ellipse has none. */
export const corners: Partial<Record<Shape, readonly [x: number, y: number][]>> = {
  rectangle: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1]
  ],
  'round-rectangle': [
    [-0.7, -1],
    [0.7, -1],
    [1, -0.7],
    [1, 0.7],
    [0.7, 1],
    [-0.7, 1],
    [-1, 0.7],
    [-1, -0.7]
  ],
  triangle: [
    [0, -1],
    [1, 1],
    [-1, 1]
  ],
  diamond: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0]
  ],
  hexagon: [
    [-0.5, -1],
    [0.5, -1],
    [1, 0],
    [0.5, 1],
    [-0.5, 1],
    [-1, 0]
  ],
  octagon: [
    [-0.4, -1],
    [0.4, -1],
    [1, -0.4],
    [1, 0.4],
    [0.4, 1],
    [-0.4, 1],
    [-1, 0.4],
    [-1, -0.4]
  ],
  parallelogram: [
    [-1, -1],
    [0.5, -1],
    [1, 1],
    [-0.5, 1]
  ],
  vee: [
    [-1, -1],
    [0, -0.4],
    [1, -1],
    [0, 1]
  ]
}
