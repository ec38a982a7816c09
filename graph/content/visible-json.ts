/** Terminal control characters and bidirectional marks, which JSON.stringify does not escape. */
const DANGEROUS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns the value as JSON on one line, with all invisible characters escaped. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    DANGEROUS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
