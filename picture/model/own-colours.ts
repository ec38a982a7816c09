import type { Attribute } from './attributes.ts'
import { hasKinds, type Legend } from './scales.ts'
import { type Kind, styleNames } from './styles.ts'
import { byNumber } from './value-colours.ts'

/** The name of a colour. */
const NAME = /^[a-z ]*$/i

/**
 * Returns the legend of the elements' own colours, with the title and values of the first attribute that the colours stand for. Each of
 * its values has one colour, and each colour one value. Returns other legends unchanged, and those of colours with names. `isOrdered`
 * says that a style sets the order of the values.
 */
export function withMeanings(
  legend: Legend,
  kind: Kind,
  colour: Attribute,
  attributes: Attribute[],
  count: number,
  isOrdered = false
): Legend {
  if (!legend.kinds || !isColour(kind, colour) || legend.kinds.every(({ value }) => NAME.test(value))) return legend
  for (const attribute of attributes) {
    if (!attribute.key.startsWith('metadata.') || isColour(kind, attribute) || !hasKinds(attribute, count)) continue
    const meanings = meaningsOf(colour, attribute, count)
    if (!meanings) continue
    const meaningOf = ({ value }: { value: string }) => meanings.get(value) as string
    const entries = isOrdered ? legend.kinds : byNumber(legend.kinds, meaningOf)
    const kinds = entries.map((entry) => ({ ...entry, name: entry.name ?? meaningOf(entry) }))
    return { ...legend, title: attribute.title, kinds }
  }
  return legend
}

function isColour(kind: Kind, { key }: Attribute) {
  return styleNames[kind].color?.some((name) => key === `metadata.${name}`) ?? false
}

/** Returns the value for each colour, or undefined if they do not correspond one to one. */
function meaningsOf(colour: Attribute, attribute: Attribute, count: number): Map<string, string> | undefined {
  const [values, colours] = [new Map<string, string>(), new Map<string, string>()]
  for (let index = 0; index < count; index++) {
    const own = colour.read(index)
    if (own === undefined) continue
    const [name, value] = [String(own), String(attribute.read(index) ?? '')]
    if (value.trim() === '' || (values.get(name) ?? value) !== value || (colours.get(value) ?? name) !== name) return
    values.set(name, value)
    colours.set(value, name)
  }
  return values.size > 1 ? values : undefined
}
