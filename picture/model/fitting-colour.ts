import { type Attribute, valuesOf } from './attributes.ts'
import { differenceOf, hasKinds } from './scales.ts'

/** The metadata in which formats store colours. */
const COLOUR = 'metadata.color'

/** Values that only tell yes from no. They sort nodes less well than communities. */
const BOOLEAN = new Set(['true', 'false', 'yes', 'no', '0', '1'])

/** Colours look alike if their channels, from 0 to 255, differ by less than this in sum. */
const ALIKE = 90

/** A value or a colour gives no picture if at least this share of the nodes has it. */
const MOST = 0.9

/**
 * The attribute that sorts nodes well enough to colour them by it at first: a stored one with few categories for most nodes, else
 * stored colours. Undefined if there is none. `hexOf` reads colours.
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

/** Whether enough nodes differ from those with the most frequent value: by their looks, if all values are colours. */
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
