// Canonical JSON (RFC 8785, JCS): one value has one text, so that it can be hashed.

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [name: string]: Json
}

/** The deepest nesting. Values of events have three levels; a stranger's may have any number. */
const MOST_LEVELS = 32

/**
 * Returns the value as canonical JSON without spaces (section 3.2.1). Throws a TypeError if JSON has no such value, if the name of
 * a member is not well-formed Unicode, or if it is nested more than 32 levels deep.
 */
export function canonical(value: Json): string {
  return write(value, 0)
}

function write(value: Json, level: number): string {
  if (level > MOST_LEVELS) throw new TypeError(`a value is nested more than ${MOST_LEVELS} levels deep`)
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value === 'boolean') return String(value)
  // Numbers are written as ECMAScript does (section 3.2.2.3); it writes -0 as 0.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, level + 1)).join()}]`
  if (typeof value === 'object') {
    // Members are in the order of the UTF-16 code units of their names (section 3.2.3), as sort() has them.
    const names = Object.keys(value).sort()
    if (!names.every((name) => name.isWellFormed())) throw new TypeError('the name of a member is no Unicode text')
    return `{${names.map((name) => `${quote(name)}:${write(value[name] as Json, level + 1)}`).join()}}`
  }
  throw new TypeError(`${typeof value === 'number' ? value : typeof value} is no value of JSON`)
}

/**
 * Quotes a text; JSON.stringify escapes what section 3.2.2.2 wants escaped, and nothing else. That section refuses half a surrogate
 * pair. Here it becomes U+FFFD, as in the bytes of every other text that is stored: one odd event must not stop the trail.
 */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed())
}
