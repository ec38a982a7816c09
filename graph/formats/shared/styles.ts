import { type Kind, type Part, styleNames, stylePart, styleValue } from '../../../picture/model/styles.ts'

/**
 * Yields the parts of an element's drawing that its attributes do not specify. If the attributes use a name for something else,
 * the part gets the prefix `viz:`.
 */
export function* drawnAttributes(
  kind: Kind,
  drawn: Iterable<[name: string, value: unknown]>,
  attributes: ReadonlyMap<string, unknown>
): Generator<[string, unknown]> {
  for (const [name, value] of drawn) {
    if (isStated(kind, name, value, attributes)) continue
    yield [attributes.has(name) ? `viz:${name}` : name, value]
  }
}

/** Returns whether the attributes specify this value, possibly in another notation: `red` is `#ff0000`. */
function isStated(kind: Kind, name: string, value: unknown, attributes: ReadonlyMap<string, unknown>) {
  if (String(attributes.get(name)) === String(value)) return true
  if (!(name in styleNames[kind])) return false
  const part = stylePart(kind, name as Part, (name) => attributes.get(name))
  const drawn = styleValue(kind, name as Part, value)
  // yFiles has 256 levels of opacity.
  const isOpacity = name === 'alpha' && typeof part === 'number' && typeof drawn === 'number'
  return part !== undefined && (isOpacity ? Math.abs(part - drawn) < 1 / 255 : part === drawn)
}
