import { type Attribute, valuesOf } from './attributes.ts'
import { differenceOf } from './mixing.ts'
import { hasKinds } from './scales.ts'
import { type Kind, type Part, styleNames, styleValue } from './styles.ts'

/** The attributes in which nodes and edges specify their own colours and sizes, in order of precedence. */
const keysOf = (kind: Kind, part: Part) => styleNames[kind][part]?.map((name) => `metadata.${name}`) ?? []

/** Boolean values, which classify nodes less well than communities do. */
const BOOLEAN = new Set(['true', 'false', 'yes', 'no', '0', '1'])

/** Two colours look alike if the differences of their channels, from 0 to 255, add up to less than this. */
const ALIKE = 90

/** A value or colour is not informative if at least this fraction of the nodes has it. */
const MOST = 0.9

/**
 * Returns the attribute by which to colour nodes by default: their own colours if most of them have one, or else a stored
 * attribute with few categories that most nodes have, or else their own colours if only a few have one. Returns undefined if
 * there is no such attribute. `hexOf` parses colours.
 */
export function fittingColour(attributes: Attribute[], count: number, hexOf: HexOf): Attribute | undefined {
  const own = attributes.filter(({ key }) => key.startsWith('metadata.') && key !== 'metadata.weight')
  const colours = keysOf('node', 'color')
  return (
    ownColour('node', attributes, count, hexOf) ??
    own.find((attribute) => {
      if (!hasKinds(attribute, count) || colours.includes(attribute.key)) return false
      const kinds = kindsOf(attribute, count)
      const sorted = totalOf(kinds)
      const isBoolean = kinds.every(([value]) => BOOLEAN.has(value.toLowerCase()))
      return kinds.length <= Math.min(12, count / 2) && sorted > count / 2 && !isBoolean && areDistinct(kinds, hexOf)
    }) ??
    own.find((attribute) => colours.includes(attribute.key) && areDistinct(kindsOf(attribute, count), hexOf))
  )
}

/** Returns the attribute with the elements' own colours if most of them have one and the colours differ. */
export function ownColour(kind: Kind, attributes: Attribute[], count: number, hexOf: HexOf): Attribute | undefined {
  const found = keysOf(kind, 'color').flatMap((name) => attributes.filter(({ key }) => key === name))
  return found.find((attribute) => {
    const kinds = kindsOf(attribute, count)
    const [first, ...others] = kinds.map(([value]) => hexOf(value))
    const differs = (colour = '') => differenceOf(first as string, colour) >= ALIKE
    const areColours = first !== undefined && others.every((colour) => colour !== undefined)
    return areColours && totalOf(kinds) > count / 2 && others.some(differs)
  })
}

/** Returns the attribute with the elements' own sizes or thicknesses if most of them have one and they differ. */
export function ownSize(kind: Kind, attributes: Attribute[], count: number): Attribute | undefined {
  const part = kind === 'node' ? 'size' : 'thickness'
  const found = keysOf(kind, part).flatMap((name) => attributes.filter(({ key }) => key === name))
  return found.find((attribute) => {
    const sizes = Array.from({ length: count }, (_, index) => attribute.read(index)).filter(
      (size) => size !== undefined
    )
    const isSize = (size: unknown) => styleValue(kind, part, size) !== undefined
    return sizes.length > count / 2 && sizes.every(isSize) && sizes.some((size) => size !== sizes[0])
  })
}

type HexOf = (value: string) => string | undefined
type Kinds = [value: string, count: number][]

function kindsOf(attribute: Attribute, count: number): Kinds {
  return valuesOf(attribute, count).filter(([value]) => value.trim() !== '')
}

function totalOf(kinds: Kinds) {
  return kinds.reduce((sum, [, times]) => sum + times, 0)
}

/**
 * Returns whether enough nodes differ from those with the most frequent value. If all values are colours, a node differs only
 * if its colour looks different.
 */
function areDistinct(kinds: Kinds, hexOf: HexOf): boolean {
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
