import type { NodeHoverDrawingFunction } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import type { Point } from '../../../../picture/edges/shapes.ts'
import { LEADER, type Paper, shorten } from '../../../../picture/sheet/paper.ts'

type Hover = Parameters<NodeHoverDrawingFunction>

/** Returns the canvas font of labels, enlarged by a factor. */
export function fontOf({ labelWeight, labelSize, labelFont }: Settings, scale = 1): string {
  return `${labelWeight} ${labelSize * scale}px ${labelFont}`
}

/** Draws the lines that lead to labels, if there are any, with an outline to tell them from edges, and the dots where they begin. */
export function drawLeaders(
  context: Hover[0],
  labels: readonly { leader?: [Point, Point] | undefined }[],
  { ink, background }: Pick<Paper, 'ink' | 'background'>
) {
  const leaders = labels.flatMap(({ leader }) => (leader ? [leader] : []))
  context.beginPath()
  for (const [from, to] of leaders) {
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  context.lineWidth = LEADER.margin
  context.strokeStyle = background
  context.stroke()
  context.lineWidth = 1
  context.strokeStyle = ink
  context.stroke()
  context.fillStyle = ink
  for (const [{ x, y }] of leaders) {
    context.beginPath()
    context.arc(x, y, LEADER.dot, 0, 2 * Math.PI)
    context.fill()
  }
}

/** Draws a label in the font of the canvas, with an outline to keep it legible. */
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

/** Draws the label of a selected or hovered node on a plate, above all other labels. */
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
