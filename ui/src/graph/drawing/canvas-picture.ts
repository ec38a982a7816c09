import type { Point } from '../../../../picture/edges/shapes.ts'
import { corners, dashesOf, type Shape } from '../../../../picture/model/shapes.ts'
import { LEGEND, legendLayout } from '../../../../picture/sheet/legend.ts'
import { familyOf, LABEL_SIZE } from '../../../../picture/sheet/paper.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'
import { bandOf, TITLE, titleOf } from '../../../../picture/sheet/title.ts'
import { drawLeaders } from './labels.ts'

/** Renders the picture as a PNG, with `scale` pixels per unit. */
export function pngOf(picture: Picture, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round((picture.height + bandOf(picture)) * scale)
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  const context = canvas.getContext('2d')
  if (context) {
    context.scale(scale, scale)
    context.translate(0, bandOf(picture))
    paint(context, picture)
  }
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png')
  return promise
}

/** Paints the picture to look like the output of `svgOf`. */
function paint(context: CanvasRenderingContext2D, picture: Picture) {
  const { width, height, background, ink, edges, rings, nodes, labels } = picture
  context.fillStyle = background
  context.fillRect(0, -bandOf(picture), width, height + bandOf(picture))
  paintNodes(
    context,
    nodes.filter(({ isFaded }) => isFaded),
    background
  )
  for (const { from, to, control, colour, width, opacity, style, arrow } of edges) {
    context.globalAlpha = opacity
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    context.moveTo(from.x, from.y)
    if (control) context.quadraticCurveTo(control.x, control.y, to.x, to.y)
    else context.lineTo(to.x, to.y)
    context.setLineDash(dashesOf(style, width))
    context.stroke()
    if (!arrow) continue
    context.fillStyle = colour
    context.beginPath()
    for (const { x, y } of arrow) context.lineTo(x, y)
    context.fill()
  }
  for (const { x, y, radius, colour, width, opacity, style } of rings) {
    context.globalAlpha = opacity
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.setLineDash(dashesOf(style, width))
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
  paintNodes(
    context,
    nodes.filter(({ isFaded }) => !isFaded),
    background
  )
  drawLeaders(context, labels, picture)
  context.lineJoin = 'round'
  context.lineWidth = 3.5
  context.strokeStyle = background
  context.fillStyle = ink
  for (const { x, y, text, isBold, angle = 0, scale = 1 } of labels) {
    context.font = `${isBold ? '600 ' : ''}${(picture.labelSize ?? LABEL_SIZE) * scale}px ${familyOf(picture.font)}`
    context.save()
    context.translate(x, y)
    context.rotate(angle)
    context.strokeText(text, 0, 0)
    context.fillText(text, 0, 0)
    context.restore()
  }
  paintLegend(context, picture)
  if (!picture.isTitled) return
  context.fillStyle = ink
  context.font = `700 ${TITLE.size}px ${familyOf(picture.font)}`
  context.fillText(titleOf(picture), TITLE.left, -TITLE.above)
}

function paintNodes(context: CanvasRenderingContext2D, nodes: Picture['nodes'], background: string) {
  for (const { x, y, radius, border, colour, shape, opacity = 1 } of nodes) {
    const size = radius + border / 2
    context.beginPath()
    outline(context, shape, { x, y }, size)
    context.globalAlpha = opacity
    context.fillStyle = colour
    context.fill()
    context.globalAlpha = 1
    if (border === 0) continue
    context.lineWidth = border
    context.strokeStyle = background
    context.stroke()
  }
}

/** Adds the outline of a shape to the path. */
function outline(context: CanvasRenderingContext2D, shape: Shape | undefined, { x, y }: Point, size: number) {
  const points = shape && corners[shape]
  if (!points) return context.arc(x, y, size, 0, 2 * Math.PI)
  for (const [right, down] of points) context.lineTo(x + right * size, y + down * size)
  context.closePath()
}

function paintLegend(context: CanvasRenderingContext2D, picture: Picture) {
  const { height, legend, legendAt, background, ink, edgeSample = ink, font } = picture
  if (legend.length === 0) return
  const { box, rows } = legendLayout(legend, height, legendAt)
  context.fillStyle = background
  context.strokeStyle = LEGEND.border
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, LEGEND.corner)
  context.fill()
  context.stroke()
  for (const { x, y, text, isTitle, swatch, disc, stroke, ramp } of rows) {
    if (swatch) {
      const half = swatch.size / 2
      const middle = { x: swatch.x + half, y: swatch.y + half }
      context.beginPath()
      if (swatch.line) {
        context.moveTo(swatch.x, middle.y)
        context.lineTo(swatch.x + swatch.size, middle.y)
        context.lineWidth = 2.5
        context.strokeStyle = swatch.colour
        context.setLineDash(dashesOf(swatch.line, 1))
        context.stroke()
        context.setLineDash([])
      } else {
        outline(context, swatch.shape, middle, half)
        context.fillStyle = swatch.colour
        context.fill()
      }
    }
    context.strokeStyle = stroke ? edgeSample : ink
    context.lineWidth = stroke?.width ?? 1
    context.beginPath()
    if (disc) context.arc(disc.x, disc.y, disc.radius, 0, 2 * Math.PI)
    if (stroke) {
      context.moveTo(stroke.x, stroke.y)
      context.lineTo(stroke.x + stroke.length, stroke.y)
    }
    context.stroke()
    for (const { x, y, width, height, colour } of ramp) {
      context.fillStyle = colour
      context.fillRect(x, y, width, height)
    }
    context.fillStyle = ink
    context.font = `${isTitle ? '700 ' : ''}${LEGEND.size}px ${familyOf(font)}`
    context.fillText(text, x, y)
  }
}
