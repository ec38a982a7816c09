import { hexOf } from './colours.ts'
import { lineStyleOf, shapeOf } from './shapes.ts'

export type Kind = 'node' | 'edge'
export type Part = 'color' | 'alpha' | 'size' | 'height' | 'thickness' | 'shape'

/** The limits on sizes and thicknesses, in pixels. Larger numbers are assumed to be amounts, such as populations. */
const LARGEST = 1000
const THICKEST = 100

/**
 * The metadata names that hold the style of nodes and edges, in order of precedence. The prefix `viz:` marks a style whose name
 * the data also uses; the other names are those used by GEXF and DOT.
 */
export const styleNames: Record<Kind, Partial<Record<Part, readonly string[]>>> = {
  node: {
    color: ['viz:color', 'fillcolor', 'color'],
    alpha: ['viz:alpha', 'alpha'],
    size: ['viz:size', 'size'],
    height: ['viz:height', 'height'],
    shape: ['viz:shape', 'shape']
  },
  edge: {
    color: ['viz:color', 'color'],
    alpha: ['viz:alpha', 'alpha'],
    thickness: ['viz:thickness', 'thickness', 'penwidth'],
    shape: ['viz:shape', 'shape', 'style']
  }
}

/** Returns the value as part of a style, or undefined if it is not one: a colour as `#rrggbb`, a number, or a known shape. */
export function styleValue(kind: Kind, part: Part, value: unknown): string | number | undefined {
  if (value === undefined) return undefined
  if (part === 'color') return hexOf(value)
  if (part === 'shape') return kind === 'node' ? shapeOf(value) : lineStyleOf(value)
  if (typeof value !== 'number') return undefined
  if (part === 'alpha') return value >= 0 && value <= 1 ? value : undefined
  return value > 0 && value <= (part === 'thickness' ? THICKEST : LARGEST) ? value : undefined
}

/** Returns one part of an element's style. `read` returns its metadata by name. */
export function stylePart(kind: Kind, part: Part, read: (name: string) => unknown): string | number | undefined {
  for (const name of styleNames[kind][part] ?? []) {
    const value = styleValue(kind, part, read(name))
    if (value !== undefined) return value
  }
  return undefined
}

/** The style of a node or edge. The height is only present if it differs from the size, which is then the width. */
export interface Style {
  color?: string
  alpha?: number
  size?: number
  height?: number
  thickness?: number
  shape?: string
}

const allNames = {
  node: new Set(Object.values(styleNames.node).flat()),
  edge: new Set(Object.values(styleNames.edge).flat())
}

/** Returns whether any name in the metadata may specify a style. */
export function mayHaveStyle(kind: Kind, metadata: Record<string, unknown>): boolean {
  for (const name in metadata) if (allNames[kind].has(name)) return true
  return false
}

/** Returns an element's own style, or undefined if it has none. */
export function styleOf(kind: Kind, metadata: Record<string, unknown> | undefined): Style | undefined {
  if (!metadata || !mayHaveStyle(kind, metadata)) return undefined
  let style: Record<string, string | number> | undefined
  for (const part in styleNames[kind]) {
    if (part === 'height' && style?.size === undefined) continue
    const value = stylePart(kind, part as Part, (name) => metadata[name])
    if (value === undefined) continue
    style ??= {}
    style[part] = value
  }
  if (style && style.height === style.size) delete style.height
  return style
}
