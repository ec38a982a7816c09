import { type Attribute, valuesOf } from './attributes.ts'
import { differenceOf, hasKinds } from './scales.ts'

/** The metadata field in which formats store colours. */
const COLOUR = 'metadata.color'

/** Boolean values, which classify nodes less well than communities do. */
const BOOLEAN = new Set(['true', 'false', 'yes', 'no', '0', '1'])

/** Two colours look alike if the differences of their channels, from 0 to 255, add up to less than this. */
const ALIKE = 90

/** A value or colour is not informative if at least this share of the nodes has it. */
const MOST = 0.9

/**
 * Returns the attribute by which to colour nodes by default: a stored attribute with few categories that most nodes have, or else
 * stored colours. Returns undefined if there is no such attribute. `hexOf` parses colours.
 */
export function fittingColour(
  attributes: Attribute[],
  count: number,
  hexOf: (value: string) => string | undefined
): Attribute | undefined {
  const own = attributes.filter(({ key }) => key.startsWith('metadata.') && key !== 'metadata.weight')
  const kindsOf = (attribute: Attribute) => valuesOf(attribute, count).filter(([value]) => value.trim() !== '')
  return (
    own.find((attribute) => {
      if (!hasKinds(attribute, count) || attribute.key === COLOUR) return false
      const kinds = kindsOf(attribute)
      const sorted = kinds.reduce((sum, [, times]) => sum + times, 0)
      const isBoolean = kinds.every(([value]) => BOOLEAN.has(value.toLowerCase()))
      return kinds.length <= Math.min(12, count / 2) && sorted > count / 2 && !isBoolean && areDistinct(kinds, hexOf)
    }) ?? own.find((attribute) => attribute.key === COLOUR && areDistinct(kindsOf(attribute), hexOf))
  )
}

/**
 * Returns whether enough nodes differ from those with the most frequent value. If all values are colours, a node differs only
 * if its colour looks different.
 */
function areDistinct(kinds: [value: string, count: number][], hexOf: (value: string) => string | undefined): boolean {
  const colours = kinds.map(([value]) => hexOf(value)).filter((colour) => colour !== undefined)
  const areColours = colours.length === kinds.length
  const isUsual = (index: number) =>
    index === 0 || (areColours && differenceOf(colours[0] as string, colours[index] as string) < ALIKE)
  let [all, usual] = [0, 0]
  kinds.forEach(([, times], index) => {
    all += times
    if (isUsual(index)) usual += times
  })
  return usual < all * MOST
}
