import type { NodeHoverDrawingFunction } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'

/** The colours of a drawing's background, in the light and the dark theme. */
export interface Paper {
  background: string
  ink: string
  node: string
  /** The colour that edges have besides those of their ends. */
  edge: string
  focusedEdge: string
  dimNode: string
  dimEdge: string
}

export const lightPaper: Paper = {
  background: '#ffffff',
  ink: '#1a1b1e',
  node: '#0b7285',
  edge: '#868e96',
  focusedEdge: '#495057',
  dimNode: '#e4e7ea',
  dimEdge: '#f0f2f4'
}

export const darkPaper: Paper = {
  background: '#1f1f1f',
  ink: '#f1f3f5',
  node: '#3bc9db',
  edge: '#868e96',
  focusedEdge: '#ced4da',
  dimNode: '#3a3d40',
  dimEdge: '#2a2c2e'
}

/** Longer labels are cut off in drawings; the details show them in full. */
const LONGEST = 60

/** Returns a label in one line, cut off if it is long. */
export function shorten(label: string) {
  const characters = [...label.replace(/\s+/g, ' ')]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('')
}

type Hover = Parameters<NodeHoverDrawingFunction>

/** The font of labels, for canvases. */
export function fontOf({ labelWeight, labelSize, labelFont }: Settings): string {
  return `${labelWeight} ${labelSize}px ${labelFont}`
}

/** Draws a label with an outline that keeps it legible, in the font of the canvas. */
export function drawLabel(
  context: Hover[0],
  { text, x, y }: { text: string; x: number; y: number },
  { ink, background }: Paper
) {
  context.lineWidth = 3.5
  context.lineJoin = 'round'
  context.strokeStyle = background
  context.fillStyle = ink
  context.strokeText(text, x, y)
  context.fillText(text, x, y)
}

/** Draws the label of a selected or hovered node on a plate, above all others. */
export function drawHover(context: Hover[0], data: Hover[1], settings: Hover[2], { ink, background }: Paper) {
  const { x, y, size, label, color } = data
  context.font = `600 ${settings.labelSize}px ${settings.labelFont}`
  context.shadowColor = 'rgba(0, 0, 0, 0.35)'
  context.shadowBlur = 8
  context.fillStyle = background
  context.beginPath()
  if (label) {
    const text = shorten(label)
    context.roundRect(x - size - 3, y - size - 4, context.measureText(text).width + size * 2 + 16, size * 2 + 8, 6)
    context.fill()
    context.shadowBlur = 0
    context.fillStyle = ink
    context.fillText(text, x + size + 5, y + settings.labelSize / 3)
  } else {
    context.arc(x, y, size + 3, 0, Math.PI * 2)
    context.fill()
    context.shadowBlur = 0
  }
  context.fillStyle = color
  context.beginPath()
  context.arc(x, y, size, 0, Math.PI * 2)
  context.fill()
}
