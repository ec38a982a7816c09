/** The member names and indexes that lead from a JSON value to a nested one. */
export type Path = (string | number)[]

/** Returns the path as a JSON Pointer in a URI fragment (RFC 6901, section 6). */
export function pointerTo(path: Path) {
  return `#${path.map((step) => `/${fragment(String(step))}`).join('')}`
}

/** Encodes the characters that are not allowed in a fragment (RFC 3986, section 3.5). */
function fragment(step: string) {
  const escaped = step.replaceAll('~', '~0').replaceAll('/', '~1')
  return encodeURI(escaped.toWellFormed()).replace(/[#[\]]/g, encodeURIComponent)
}

/**
 * The maximum length of a name in a fault's pointer, in UTF-16 units. Otherwise, a few long names in a body could add megabytes
 * to the response.
 */
const LONGEST_STEP = 100

/** The maximum length of the whole pointer, which is truncated between steps. */
const LONGEST_POINTER = 1024

/** Returns the pointer of a fault, with `…` in place of the parts that are too long. */
export function faultPointer(path: Path) {
  let pointer = '#'
  for (const step of path) {
    const more = `/${cutStep(step)}`
    if (pointer.length + more.length > LONGEST_POINTER) return `${pointer}/${fragment('…')}`
    pointer += more
  }
  return pointer
}

/** Returns a step as it appears in fault pointers. */
export function cutStep(step: string | number) {
  return typeof step === 'number' ? String(step) : fragment(shortened(step, LONGEST_STEP))
}

/** Returns the text, truncated with `…` if it exceeds `longest` UTF-16 units. */
export function shortened(text: string, longest: number) {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
}
