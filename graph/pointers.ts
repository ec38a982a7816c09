/** The steps from a value of JSON to one inside it. */
export type Path = (string | number)[]

/** The path as a JSON Pointer in a URI fragment (RFC 6901, section 6). */
export function pointerTo(path: Path) {
  return `#${path.map((step) => `/${fragment(String(step))}`).join('')}`
}

/** Leaves what a fragment may hold (RFC 3986, section 3.5), and encodes the rest. */
function fragment(step: string) {
  const escaped = step.replaceAll('~', '~0').replaceAll('/', '~1')
  return encodeURI(escaped.toWellFormed()).replace(/[#[\]]/g, encodeURIComponent)
}

/** In faults, longer names are cut off, in UTF-16 units: a body of a few long names could have an answer of megabytes. */
const LONGEST_STEP = 100

/** The same for the pointer as a whole, which ends with a whole step. */
const LONGEST_POINTER = 1024

/** The pointer of a fault: what is too long of it is cut off, with `…` in its place. */
export function faultPointer(path: Path) {
  let pointer = '#'
  for (const step of path) {
    const more = `/${cutStep(step)}`
    if (pointer.length + more.length > LONGEST_POINTER) return `${pointer}/${fragment('…')}`
    pointer += more
  }
  return pointer
}

/** A step as it stands in the pointer of a fault. */
export function cutStep(step: string | number) {
  return typeof step === 'number' ? String(step) : fragment(shortened(step, LONGEST_STEP))
}

/** The text, cut off with `…` where it has more UTF-16 units than that. */
export function shortened(text: string, longest: number) {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
}
