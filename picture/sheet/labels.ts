import type { Disc } from '../edges/shapes.ts'
import { type Box, LabelPlaces } from '../layout/label-places.ts'
import type { Size } from '../layout/pack-boxes.ts'
import { at, type Network } from '../model/network.ts'
import type { Picture } from './picture.ts'

/** The font size and line height of labels, in pixels. */
const SIZE = 14
const LINE = SIZE + 2

/** The maximum fraction of the picture that labels may cover. */
const SHARE = 0.09

/** How many of the most important labels may cover smaller nodes, as in `ui/src/graph/drawing/label-layer.ts`. */
const FIRST = 15

/**
 * Places the labels that fit without collisions, starting with those of the largest nodes, then those of the nodes with the most
 * edges.
 */
export function placeLabels(
  { degree }: Network,
  discs: readonly Disc[],
  nameOf: (node: number) => string,
  { width, height }: Size,
  covers: readonly Box[]
): Picture['labels'] {
  const places = new LabelPlaces({ left: 0, top: 0, right: width, bottom: height }, covers)
  for (const disc of discs) places.addDisc(disc)
  const order = [...discs.entries()].sort(
    ([one, { size }], [other, { size: otherSize }]) =>
      otherSize - size || at(degree, other) - at(degree, one) || one - other
  )
  const labels: Picture['labels'] = []
  let covered = 0
  for (const [rank, [node, disc]] of order.entries()) {
    if (covered >= width * height * SHARE) break
    const text = nameOf(node)
    const textWidth = widthOf(text)
    const box = places.take({ ...disc, width: textWidth, height: LINE }, rank < FIRST)
    if (!box) continue
    labels.push({ x: box.left, y: (box.top + box.bottom) / 2 + SIZE / 3, text, isBold: false })
    covered += textWidth * LINE
  }
  return labels
}

/** Estimates the width of a label in pixels, because the server has no font metrics. */
function widthOf(text: string): number {
  let ems = 0
  for (const character of text)
    ems +=
      (character.codePointAt(0) as number) > 0x2e80
        ? 1
        : /[ilj.,;:'|!() ]/.test(character)
          ? 0.34
          : /[A-ZMWmw@%]/.test(character)
            ? 0.76
            : 0.61
  return ems * SIZE
}
