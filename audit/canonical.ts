// Canonical JSON (RFC 8785, JCS). Every value has exactly one encoding, so its hash is stable.

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** The maximum nesting depth. Our own events are three levels deep, but untrusted input can have any depth. */
const MOST_LEVELS = 32

/**
 * Returns the value as canonical JSON, without whitespace (section 3.2.1). Throws a TypeError if JSON cannot represent the value,
 * if a member name is not well-formed Unicode, or if the value is nested more than 32 levels deep.
 */
export function canonical(value: Json): string {
  return canonicalAt(0, value)
}

/**
 * Returns whether the text is canonical JSON. `value` is the result of parsing it with JSON.parse. If the members are sorted
 * and no string contains a lone surrogate, JSON.stringify produces the same text as `canonical`, but eight times as fast.
 * Throws like `canonical`.
 */
export function isCanonical(text: string, value: Json): boolean {
  return isOrdered(value, 0) && !text.includes('\\ud') ? JSON.stringify(value) === text : canonical(value) === text
}

function isOrdered(value: Json, level: number): boolean {
  if (level > MOST_LEVELS) return false
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => isOrdered(item, level + 1))
  const names = Object.keys(value)
  return names.every(
    (name, at) => (at === 0 || (names[at - 1] as string) < name) && isOrdered(value[name] as Json, level + 1)
  )
}

/** Like `canonical`, for a value at this nesting level. */
export function canonicalAt(level: number, value: Json): string {
  if (level > MOST_LEVELS) throw new TypeError(`a value is nested more than ${MOST_LEVELS} levels deep`)
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value === 'boolean') return String(value)
  // ECMAScript number formatting is canonical (section 3.2.2.3), including -0 as 0.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (Array.isArray(value)) return writeItems(level + 1, value)
  if (typeof value === 'object') return writeMembers(level + 1, value)
  throw new TypeError(`${typeof value === 'number' ? value : typeof value} is not a JSON value`)
}

// Appending to a string in a loop is twice as fast here as map and join.

function writeItems(level: number, items: Json[]): string {
  let text = ''
  for (let at = 0; at < items.length; at++) text += `${at === 0 ? '' : ','}${canonicalAt(level, items[at] as Json)}`
  return `[${text}]`
}

function writeMembers(level: number, object: JsonObject): string {
  let text = ''
  for (const name of sorted(Object.keys(object))) {
    if (!name.isWellFormed()) throw new TypeError('a member name is not valid Unicode')
    text += `${text && ','}${quote(name)}:${canonicalAt(level, object[name] as Json)}`
  }
  return `{${text}}`
}

/**
 * Sorts the names by UTF-16 code units (section 3.2.3), as sort() does. Insertion sort is four times as fast if there are only
 * a few names.
 */
function sorted(names: string[]): string[] {
  if (names.length > 16) return names.sort()
  for (let at = 1; at < names.length; at++) {
    const name = names[at] as string
    let to = at
    for (; to > 0 && (names[to - 1] as string) > name; to--) names[to] = names[to - 1] as string
    names[to] = name
  }
  return names
}

/** Matches strings that JSON leaves unescaped: those without quotes, backslashes, control characters or surrogates. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/**
 * Quotes a string. JSON.stringify escapes exactly what section 3.2.2.2 requires. That section rejects lone surrogates, but here
 * they become U+FFFD, as in all other stored text, so that a single malformed event cannot stop the audit log.
 */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text.toWellFormed())
}
