import { LineIndex } from './lines.ts'
import { cutStep, type Path } from './pointers.ts'

/** The current position while walking JSON text: the member names and indexes that lead to the current value. */
export class OpenPath {
  readonly #text: string
  /** The index of the current item of each open array; -1 for an open object. */
  readonly #indexes: number[] = []
  /** The start and end of the current member name in each open object, including quotes. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** The number of open arrays and objects. */
  get depth() {
    return this.#indexes.length
  }

  get isInArray() {
    return (this.#indexes.at(-1) ?? -1) >= 0
  }

  open(isArray: boolean) {
    this.#indexes.push(isArray ? 0 : -1)
    this.#starts.push(0)
    this.#ends.push(0)
  }

  close() {
    this.#indexes.pop()
    this.#starts.pop()
    this.#ends.pop()
  }

  nextItem() {
    this.#indexes.push((this.#indexes.pop() as number) + 1)
  }

  nextName(start: number, end: number) {
    this.#starts[this.depth - 1] = start
    this.#ends[this.depth - 1] = end
  }

  /** Returns the name or index at this level, counted from 0. Decodes the name on each call. */
  step(level: number): string | number {
    const index = this.#indexes[level] as number
    return index >= 0 ? index : decoded(this.#text, this.#starts[level] as number, this.#ends[level] as number)
  }

  /** Whether the current member name contains a lone surrogate, which only an escape sequence can produce. */
  get hasMalformedName() {
    if (this.depth === 0 || this.isInArray) return false
    const level = this.depth - 1
    const name = decoded(this.#text, this.#starts[level] as number, this.#ends[level] as number)
    return !name.isWellFormed()
  }

  get steps(): Path {
    return this.#indexes.map((_, level) => this.step(level))
  }
}

/** Decodes the string literal between these offsets. The offsets include the quotes. */
export function decoded(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1)
  return inside.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inside
}

/**
 * Called with the start and end of each value, or of the opening bracket for an array or object. Returning true ends the walk.
 */
export type Visit = (start: number, end: number, path: OpenPath) => unknown

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Visits each value in JSON text, in linear time. Returns the offset of the first syntax error, or undefined if the text is valid
 * or the visitor ended the walk. Unlike JSON.parse, reports positions and names. Lenient walks also accept the numbers that
 * Python writes: NaN, Infinity and -Infinity.
 */
export function walkJson(text: string, visit: Visit = () => {}, isLenient = false): number | undefined {
  const words = isLenient ? LENIENT_WORDS : WORDS
  const path = new OpenPath(text)
  let at = 0
  /** Inside an object, reads the member name and the colon. Returns false on a syntax error. */
  const enter = () => {
    if (path.isInArray) return true
    at = afterSpace(text, at)
    const end = stringEnd(text, at)
    if (end < 0) return false
    path.nextName(at, end)
    at = afterSpace(text, end)
    if (text.charCodeAt(at) !== COLON) return false
    at++
    return true
  }

  for (;;) {
    at = afterSpace(text, at)
    const first = text.charCodeAt(at)
    if (first === OPEN_ARRAY || first === OPEN_OBJECT) {
      if (visit(at, at + 1, path) === true) return undefined
      at = afterSpace(text, at + 1)
      if (text.charCodeAt(at) === first + 2) at++
      else {
        path.open(first === OPEN_ARRAY)
        if (!enter()) return at
        continue
      }
    } else {
      const end = first === QUOTE ? stringEnd(text, at) : scalarEnd(text, at, words)
      if (end < 0) return at
      if (visit(at, end, path) === true) return undefined
      at = end
    }

    // A value is complete: close the arrays and objects that end here, then continue with the next item.
    for (;;) {
      at = afterSpace(text, at)
      if (path.depth === 0) return at < text.length ? at : undefined
      const next = text.charCodeAt(at)
      if (next === COMMA) {
        at++
        if (path.isInArray) path.nextItem()
        if (!enter()) return at
        break
      }
      if (next !== (path.isInArray ? CLOSE_ARRAY : CLOSE_OBJECT)) return at
      at++
      path.close()
    }
  }
}

function afterSpace(text: string, at: number) {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return at
    at++
  }
}

/** Returns the end of the string that starts at this offset, or -1. */
function stringEnd(text: string, start: number) {
  if (text.charCodeAt(start) !== QUOTE) return -1
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < SPACE) return -1
    if (code !== BACKSLASH) continue
    const escaped = text[++at] as string
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return -1
      at += 4
    } else if (!'"\\/bfnrt'.includes(escaped)) return -1
  }
  return -1
}

/** Returns the end of the number or literal that starts at this offset, or -1. */
function scalarEnd(text: string, start: number, words: readonly string[]) {
  const word = words.find((known) => text.startsWith(known, start))
  const end = word === undefined ? numberEnd(text, start) : start + word.length
  return end >= 0 && /[\w.+-]/.test(text[end] ?? '') ? -1 : end
}

const WORDS = ['true', 'false', 'null']
const LENIENT_WORDS = [...WORDS, 'NaN', 'Infinity', '-Infinity']

function numberEnd(text: string, start: number) {
  let at = text[start] === '-' ? start + 1 : start
  const whole = digitsEnd(text, at)
  if (whole === at || (text[at] === '0' && whole > at + 1)) return -1
  at = whole
  if (text[at] === '.') {
    const end = digitsEnd(text, at + 1)
    if (end === at + 1) return -1
    at = end
  }
  if (text[at] !== 'e' && text[at] !== 'E') return at
  at += text[at + 1] === '+' || text[at + 1] === '-' ? 2 : 1
  const end = digitsEnd(text, at)
  return end === at ? -1 : end
}

function digitsEnd(text: string, start: number) {
  let at = start
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++
  return at
}

/** A tree of pointer steps, with the offsets of the values found so far. */
interface Steps {
  next: Map<string, Steps>
  offset: number
}

/**
 * Finds the offset of the value that each pointer refers to, or of its closest ancestor if the value does not exist. The walk
 * is lenient, since the text may come from a file.
 */
export function locate(text: string, pointers: string[]) {
  const root: Steps = { next: new Map(), offset: 0 }
  for (const pointer of pointers) {
    let steps = root
    for (const step of pointer.split('/').slice(1)) {
      let next = steps.next.get(step)
      if (!next) {
        next = { next: new Map(), offset: -1 }
        steps.next.set(step, next)
      }
      steps = next
    }
  }
  /** The steps to look for in each open value. Names are decoded only in objects with such steps. */
  const wanted: (Steps | undefined)[] = []
  const visit: Visit = (start, _end, path) => {
    const { depth } = path
    const parent = wanted[depth - 1]
    const found = depth === 0 ? root : parent?.next.size ? parent.next.get(cutStep(path.step(depth - 1))) : undefined
    wanted[depth] = found
    if (found && found.offset < 0) found.offset = start
    if (depth === 0) root.offset = start
  }
  walkJson(text, visit, true)
  const lines = new LineIndex(text)
  return pointers.map((pointer) => {
    let known = '#'
    let steps = root
    for (const step of pointer.split('/').slice(1)) {
      const next = steps.next.get(step)
      if (!next || next.offset < 0) break
      known += `/${step}`
      steps = next
    }
    return { pointer: known, ...lines.position(steps.offset) }
  })
}

/**
 * Returns the member names of the object at the path, in text order and with duplicates. The text must come from a file that
 * has been parsed. (A JavaScript object would drop duplicates and move names that look like an index to the front.)
 */
export function memberNames(text: string, path: Path): string[] {
  const names: string[] = []
  /** For each open value, whether it is on the path to the object. */
  const isOnPath: boolean[] = []
  const visit: Visit = (_start, _end, open) => {
    const { depth } = open
    isOnPath[depth] = depth === 0
    if (depth === 0 || !isOnPath[depth - 1]) return
    const step = open.step(depth - 1)
    if (depth <= path.length) isOnPath[depth] = step === path[depth - 1]
    else if (typeof step === 'string') names.push(step)
  }
  walkJson(text, visit, true)
  return names
}
