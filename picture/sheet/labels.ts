import type { ViewStyle } from '../../schemas/style.ts'
import type { Disc } from '../edges/shapes.ts'
import type { Box } from '../layout/label-boxes.ts'
import { labelEnds } from '../layout/label-ends.ts'
import { LabelPlaces } from '../layout/label-places.ts'
import type { Size } from '../layout/pack-boxes.ts'
import { at, type Network } from '../model/network.ts'
import { drawnRange } from '../model/scales.ts'
import { LABEL_SIZE } from './paper.ts'
import type { Picture } from './picture.ts'

/** The distance between the baselines of two lines, in addition to the font size, in pixels. */
const LEADING = 2

/** The maximum fraction of a picture that labels may cover. The longer the labels, the fewer fit. */
export const LABEL_SHARE = 0.12

/**
 * Returns a function from the size of a node to the factor by which its label is larger than the font size: from 1 for the smallest
 * node to 2 for the largest, or always 1 unless the sizes of labels follow those of nodes.
 */
export function labelScale(isBySize: boolean | undefined, sizes: ArrayLike<number>): (size: number) => number {
  const { least, greatest } = drawnRange((index) => sizes[index] as number, sizes.length)
  if (!isBySize || greatest <= least) return () => 1
  return (size) => 1 + Math.min(1, Math.max(0, (size - least) / (greatest - least)))
}

/**
 * Places the labels that fit without collisions, starting with those of the largest nodes, then those of the nodes with the most
 * edges. The rule `all` also places labels that collide, and `none` places none. Returns the labels and the places that remain free.
 */
export function placeLabels(
  network: Network,
  discs: readonly Disc[],
  nameOf: (node: number) => string,
  space: Size,
  covers: readonly Box[],
  { rule = 'important', size: fontSize = LABEL_SIZE, bySize, most }: NonNullable<ViewStyle['labels']> = {}
): { labels: Picture['labels']; free: LabelPlaces } {
  const free = new LabelPlaces({ left: 0, top: 0, right: space.width, bottom: space.height }, covers)
  for (const disc of discs) free.addDisc(disc)
  if (rule === 'none') return { labels: [], free }
  const order = [...discs.entries()].sort(
    ([one, { size }], [other, { size: otherSize }]) =>
      otherSize - size || at(network.degree, other) - at(network.degree, one) || one - other
  )
  const labels: Picture['labels'] = []
  const scaleOf = labelScale(
    bySize,
    discs.map(({ size }) => size)
  )
  let covered = 0
  for (const [rank, [node, disc]] of order.slice(0, most).entries()) {
    if (rule === 'important' && covered >= space.width * space.height * LABEL_SHARE) break
    const text = nameOf(node)
    const scale = scaleOf(disc.size)
    const [width, height] = [widthOf(text, fontSize * scale), fontSize * scale + LEADING]
    const label = { ...disc, width, height, ends: labelEnds(network, node, (end) => discs[end]) }
    const box = free.take(label, rank) ?? (rule === 'all' ? free.force(label) : undefined)
    if (!box) continue
    const y = (box.top + box.bottom) / 2 + (fontSize * scale) / 3
    const { leader } = box
    labels.push({ x: box.left, y, text, isBold: false, ...(scale !== 1 && { scale }), ...(leader && { leader }) })
    covered += width * height
  }
  return { labels, free }
}

/** The widths of characters in DejaVu Sans, in ems: narrow and wide ones, capitals and digits, and others. */
const WIDTHS: [RegExp, number][] = [
  [/[ijl.,;:'|!I ]/, 0.32],
  [/[frt()/-]/, 0.4],
  [/[mwMW@%]/, 0.93],
  [/\p{Lu}/u, 0.7],
  [/[\u2e80-\u{10ffff}]/u, 1]
]

/** Estimates the width of a label in this font size, because the server has no font metrics. */
export function widthOf(text: string, fontSize: number): number {
  let ems = 0
  for (const character of text) ems += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? 0.62
  return ems * fontSize
}
