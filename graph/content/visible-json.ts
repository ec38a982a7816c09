/** Terminal control characters and bidirectional marks. JSON does not escape them. */
const DANGEROUS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns the value as JSON on one line, and escapes all invisible characters. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    DANGEROUS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
