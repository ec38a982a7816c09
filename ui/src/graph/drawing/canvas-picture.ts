import { LEGEND, legendLayout } from '../../../../picture/sheet/legend.ts'
import type { Picture } from '../../../../picture/sheet/picture.ts'
import { bandOf, TITLE, titleOf } from '../../../../picture/sheet/title.ts'

const FONT = 'system-ui, sans-serif'

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
  for (const { from, to, control, colour, width, opacity, arrow } of edges) {
    context.globalAlpha = opacity
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    context.moveTo(from.x, from.y)
    if (control) context.quadraticCurveTo(control.x, control.y, to.x, to.y)
    else context.lineTo(to.x, to.y)
    context.stroke()
    if (!arrow) continue
    context.fillStyle = colour
    context.beginPath()
    for (const { x, y } of arrow) context.lineTo(x, y)
    context.fill()
  }
  for (const { x, y, radius, colour, width, opacity } of rings) {
    context.globalAlpha = opacity
    context.strokeStyle = colour
    context.lineWidth = width
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.stroke()
  }
  context.globalAlpha = 1
  paintNodes(
    context,
    nodes.filter(({ isFaded }) => !isFaded),
    background
  )
  context.lineJoin = 'round'
  context.lineWidth = 3.5
  context.strokeStyle = background
  context.fillStyle = ink
  for (const { x, y, text, isBold, angle = 0 } of labels) {
    context.font = `${isBold ? '600 ' : ''}14px ${FONT}`
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
  context.font = `700 ${TITLE.size}px ${FONT}`
  context.fillText(titleOf(picture), TITLE.left, -TITLE.above)
}

function paintNodes(context: CanvasRenderingContext2D, nodes: Picture['nodes'], background: string) {
  for (const { x, y, radius, border, colour } of nodes) {
    context.fillStyle = background
    context.beginPath()
    context.arc(x, y, radius + border, 0, 2 * Math.PI)
    context.fill()
    context.fillStyle = colour
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fill()
  }
}

function paintLegend(context: CanvasRenderingContext2D, { height, legend, background, ink }: Picture) {
  if (legend.length === 0) return
  const { box, rows } = legendLayout(legend, height)
  context.fillStyle = background
  context.strokeStyle = LEGEND.border
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, LEGEND.corner)
  context.fill()
  context.stroke()
  for (const { x, y, text, isTitle, swatch, ramp } of rows) {
    if (swatch) {
      context.fillStyle = swatch.colour
      context.beginPath()
      context.roundRect(swatch.x, swatch.y, swatch.size, swatch.size, swatch.size / 2)
      context.fill()
    }
    for (const { x, y, width, height, colour } of ramp) {
      context.fillStyle = colour
      context.fillRect(x, y, width, height)
    }
    context.fillStyle = ink
    context.font = `${isTitle ? '700 ' : ''}${LEGEND.size}px ${FONT}`
    context.fillText(text, x, y)
  }
}
