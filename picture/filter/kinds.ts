import { type Attribute, type Value, valuesOf } from '../model/attributes.ts'

/** A value of an attribute, and the number of elements with that value. */
export interface Kind {
  /** The key for the value in filters. */
  key: string
  /** Undefined for elements that have no value. */
  value: string | undefined
  count: number
}

/** A filter that shows or hides values by key. */
export type KindFilter = { attribute: string; shown: string[] } | { attribute: string; hidden: string[] }

/** The maximum length of a value to use as its own key. Longer values are hashed, so that addresses stay short. */
const LONGEST = 40

/** Returns the key for a value in filters and addresses: usually the value itself, or `~` for no value. */
export function keyOf(value: Value): string {
  if (value === undefined) return '~'
  const text = String(value)
  if (text.length > LONGEST) return `~${text.length}.${hashOf(text)}`
  return text.startsWith('~') ? `~${text}` : text
}

/** Returns the 32-bit FNV-1a hash of a string. */
function hashOf(text: string) {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Returns the values of an attribute, most frequent first. Elements without a value come last. */
export function kindsOf(attribute: Attribute, count: number): Kind[] {
  const values = valuesOf(attribute, count)
  const without = count - values.reduce((sum, [, times]) => sum + times, 0)
  return [
    ...values.map(([value, times]) => ({ key: keyOf(value), value, count: times })),
    ...(without > 0 ? [{ key: keyOf(undefined), value: undefined, count: without }] : [])
  ]
}

/** Returns a predicate that reports whether a filter shows the value with a given key. */
export function shownBy(filter: KindFilter): (key: string) => boolean {
  const isListed = 'shown' in filter
  const listed = new Set(isListed ? filter.shown : filter.hidden)
  return (key) => listed.has(key) === isListed
}

/**
 * Returns a predicate that reports whether a filter shows a value. The predicate hashes long values only if the filter may list
 * one.
 */
export function shownByValue(filter: KindFilter): (value: Value) => boolean {
  const isListed = 'shown' in filter
  const listed = new Set(isListed ? filter.shown : filter.hidden)
  const lengths = new Set([...listed].map((key) => Number(/^~(\d+)\./.exec(key)?.[1])))
  const hasKey = (value: Value) => {
    const isLong = typeof value === 'string' && value.length > LONGEST
    return (!isLong || lengths.has(value.length)) && listed.has(keyOf(value))
  }
  return (value) => hasKey(value) === isListed
}

/** Returns the filter after toggling a value. The filter lists the shown or the hidden values, whichever are fewer. */
export function toggle(filter: KindFilter, kinds: Kind[], key: string): KindFilter {
  const wasShown = shownBy(filter)
  const [shown, hidden]: [string[], string[]] = [[], []]
  for (const kind of kinds) {
    const isShown = wasShown(kind.key) !== (kind.key === key)
    ;(isShown ? shown : hidden).push(kind.key)
  }
  const { attribute } = filter
  return shown.length < hidden.length ? { attribute, shown } : { attribute, hidden }
}
