import { isUtf8 } from 'node:buffer'
import { type Fault, MAX_FAULTS } from '../schemas/problem.ts'
import { ProblemError } from './errors.ts'
import { LineIndex } from './lines.ts'

/** How deep a body may nest. The deepest that any schema allows is 12. */
export const MAX_DEPTH = 32

/** How many members an object may have; a schema never allows more than fit into 16 KiB. */
export const MAX_MEMBERS = 10_000

export interface Limits {
  /** For files, whose objects may hold a node each. */
  members?: number
}

/**
 * Takes JSON (RFC 8259) in UTF-8 and returns its value, in which every string is well-formed Unicode and every
 * number finite and, if written as an integer, within ±(2^53-1). Throws `malformed-json` or `validation-failed`.
 */
export function parseJson(bytes: Buffer, { members = MAX_MEMBERS }: Limits = {}): unknown {
  if (!isUtf8(bytes)) throw new ProblemError('malformed-json', { detail: 'It is not in UTF-8.' })
  // A parser that meets a million brackets, or an object with a million keys, takes seconds over it.
  guardShape(bytes, members)
  // A byte order mark is no part of the text.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = jsonValue(text)
  } catch {
    const { line, column } = new LineIndex(text).position(walkJson(text) ?? text.length)
    throw new ProblemError('malformed-json', {
      detail: `It stops being JSON at line ${line}, column ${column}.`,
      errors: [{ line, column, code: 'malformed-json', detail: 'is not JSON from here on' }]
    })
  }
  let integers: Set<string> | undefined
  const isRounded = (path: Path) => {
    integers ??= roundedIntegers(text)
    return integers.has(pointerTo(path))
  }
  const faults: Fault[] = []
  collectUnfit(value, [], faults, isRounded)
  if (faults.length > 0) throw new ProblemError('validation-failed', { errors: faults })
  return value
}

/**
 * What JSON.parse should return. V8 14, of Node.js 26, confuses names that have escapes: once it has met the name `\"`,
 * it takes the name `""` in the same place of another text for it, since that is written `\"\"`. What it takes a name
 * for so always has a backslash; where a name has one, the text is taken apart without the help of V8.
 */
export function jsonValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('\\') && hasBackslash(value) ? rebuilt(text) : value
}

function hasBackslash(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasBackslash)
  for (const name in value) {
    if (name.includes('\\') || hasBackslash((value as Record<string, unknown>)[name])) return true
  }
  return false
}

/** The value of text that is JSON, and nests no deeper than MAX_DEPTH. */
function rebuilt(text: string): unknown {
  const open: unknown[] = []
  walkJson(text, (path, offset) => {
    const first = text[offset]
    const pattern = first === '"' ? STRING : SCALAR
    pattern.lastIndex = offset
    const value = first === '{' ? {} : first === '[' ? [] : JSON.parse(pattern.exec(text)?.[0] ?? 'null')
    const parent = open[path.length - 1]
    open[path.length] = value
    if (path.length === 0) return
    // Defined, not assigned: `__proto__` is a name like others.
    Object.defineProperty(parent, path.at(-1) as PropertyKey, {
      value,
      enumerable: true,
      configurable: true,
      writable: true
    })
  })
  return open[0]
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Counts depth and members by the bytes alone. */
function guardShape(bytes: Buffer, maxMembers: number) {
  let depth = 0
  /** Members so far of each open object; of arrays, which may be as long as they like, minus infinity. */
  const members = new Float64Array(MAX_DEPTH + 1)
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      // To the end of the string, past what a backslash protects.
      while (++at < bytes.length && bytes[at] !== QUOTE) if (bytes[at] === BACKSLASH) at++
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) {
        throw new ProblemError('malformed-json', { detail: `It nests deeper than ${MAX_DEPTH} levels.` })
      }
      members[depth] = byte === OPEN_ARRAY ? Number.NEGATIVE_INFINITY : 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth > 0) depth--
    } else if (byte === COMMA && countMember(members, depth) > maxMembers) {
      throw new ProblemError('malformed-json', { detail: `It has an object of more than ${maxMembers} members.` })
    }
  }
}

function countMember(members: Float64Array, depth: number) {
  const count = (members[depth] ?? 0) + 1
  members[depth] = count
  return count
}

/** What JSON can say and Graphstead cannot keep: half characters, and numbers that would be rounded. */
function collectUnfit(value: unknown, path: Path, faults: Fault[], isRounded: (path: Path) => boolean) {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) report(faults, path, 'malformed-unicode', 'has a lone surrogate')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(faults, path, 'number-too-large', 'is too large a number')
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER && isRounded(path)) {
      report(faults, path, 'number-too-large', 'is an integer beyond ±(2^53-1), which would be rounded')
    }
  } else if (Array.isArray(value)) {
    const depth = path.push(0) - 1
    for (let index = 0; index < value.length; index++) {
      path[depth] = index
      collectUnfit(value[index], path, faults, isRounded)
    }
    path.pop()
  } else if (typeof value === 'object' && value !== null) {
    const depth = path.push('') - 1
    // What JSON.parse made has no inherited members to meet here.
    for (const key in value) {
      path[depth] = key
      if (!key.isWellFormed()) report(faults, path, 'malformed-unicode', 'has a lone surrogate in its name')
      collectUnfit((value as Record<string, unknown>)[key], path, faults, isRounded)
    }
    path.pop()
  }
}

/** Where the text has an integer that a double does not hold exactly. One with a fraction or exponent is a double. */
function roundedIntegers(text: string) {
  const pointers = new Set<string>()
  const integer = /-?\d{16,}(?![\d.eE])/y
  walkJson(text, (path, offset) => {
    integer.lastIndex = offset
    if (integer.test(text)) pointers.add(pointerTo(path))
  })
  return pointers
}

function report(faults: Fault[], path: Path, code: string, detail: string) {
  if (faults.length < MAX_FAULTS) faults.push({ pointer: pointerTo(path), code, detail })
}

/** The steps from a value to one inside it. */
export type Path = (string | number)[]

/** The path as a JSON Pointer in a URI fragment (RFC 6901, section 6). */
export function pointerTo(path: Path) {
  return `#${path.map((step) => `/${fragment(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`
}

/** Leaves what a fragment may hold (RFC 3986, section 3.5), and encodes the rest. */
function fragment(text: string) {
  return encodeURI(text.toWellFormed()).replace(/[#[\]]/g, encodeURIComponent)
}

/** Where in the text each of the pointers stands; where one leads nowhere, its closest ancestor. */
export function locate(text: string, pointers: string[]) {
  const offsets = new Map<string, number>()
  for (const pointer of pointers) {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1))
      offsets.set(pointer.slice(0, end), -1)
  }
  offsets.set('#', -1)
  walkJson(text, (path, offset) => {
    const pointer = pointerTo(path)
    if (offsets.get(pointer) === -1) offsets.set(pointer, offset)
  })
  const lines = new LineIndex(text)
  return pointers.map((pointer) => {
    let known = pointer
    while ((offsets.get(known) ?? -1) < 0 && known !== '#') known = known.slice(0, known.lastIndexOf('/'))
    return { pointer: known, ...lines.position(Math.max(offsets.get(known) ?? 0, 0)) }
  })
}

const WHITE_SPACE = /[ \t\n\r]*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/**
 * Walks through JSON text, value by value, and tells the path and offset of each. Returns where the text stops
 * being JSON, or undefined where it never does. Slow and only for errors: JSON.parse says neither reliably.
 */
export function walkJson(text: string, visit: (path: Path, offset: number) => void = () => {}): number | undefined {
  const path: Path = []
  /** For each open array or object, whether it is an array. */
  const open: boolean[] = []
  let at = 0
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match !== undefined) at += match.length
    return match
  }
  /** A member's name and colon, where an object is open. */
  const enter = () => {
    if (open.at(-1)) return true
    skip(WHITE_SPACE)
    const key = skip(STRING)
    if (key === undefined) return false
    skip(WHITE_SPACE)
    if (text[at] !== ':') return false
    at++
    path[path.length - 1] = JSON.parse(key) as string
    return true
  }

  for (;;) {
    skip(WHITE_SPACE)
    visit(path, at)
    const first = text[at]
    if (first === '[' || first === '{') {
      at++
      skip(WHITE_SPACE)
      if (text[at] === (first === '[' ? ']' : '}')) at++
      else {
        open.push(first === '[')
        path.push(0)
        if (!enter()) return at
        continue
      }
    } else if (skip(first === '"' ? STRING : SCALAR) === undefined) return at

    // A value is complete: close what ends here, and go on to the next item.
    for (;;) {
      skip(WHITE_SPACE)
      if (open.length === 0) return at < text.length ? at : undefined
      const isArray = open.at(-1)
      if (text[at] === ',') {
        at++
        if (isArray) path[path.length - 1] = (path.at(-1) as number) + 1
        if (!enter()) return at
        break
      }
      if (text[at] !== (isArray ? ']' : '}')) return at
      at++
      open.pop()
      path.pop()
    }
  }
}

/**
 * The names of the members of the object at the path, as often and in the order in which they stand in the text,
 * which must be JSON. (An object of JavaScript has each name once, and puts those that look like an index first.)
 */
export function memberNames(text: string, path: Path): string[] {
  const names: string[] = []
  /** For each open array its index, and for each object -1. */
  const open: number[] = []
  /** So many of the open ones are on the path. */
  let entered = 0
  let isNext = path.length === 0
  let wantsKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const start = at
      while (text.charCodeAt(++at) !== QUOTE) if (text.charCodeAt(at) === BACKSLASH) at++
      if (!wantsKey) continue
      wantsKey = false
      if (open.length !== entered || (entered === 0 && path.length > 0)) continue
      const isWanted = entered === path.length + 1
      if (!isWanted && typeof path[entered - 1] !== 'string') continue
      const name = JSON.parse(text.slice(start, at + 1)) as string
      if (isWanted) names.push(name)
      else isNext = name === path[entered - 1]
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      const isOnPath = open.length === entered && (isNext || entered === 0)
      open.push(char === OPEN_ARRAY ? 0 : -1)
      wantsKey = char === OPEN_OBJECT
      if (isOnPath) entered++
      isNext = isOnPath && char === OPEN_ARRAY && path[entered - 1] === 0
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
      open.pop()
      if (entered > open.length) entered = open.length
      wantsKey = false
      isNext = false
    } else if (char === COMMA) {
      const index = open.at(-1) ?? -1
      wantsKey = index === -1
      isNext = false
      if (index >= 0) {
        open[open.length - 1] = index + 1
        isNext = open.length === entered && path[entered - 1] === index + 1
      }
    }
  }
  return names
}

/**
 * The value as JSON that parseJson takes: whole numbers beyond ±(2^53-1) have an exponent, which tells them from
 * integers that would be rounded.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value)
  return /[:,[]-?\d{16,}[,\]}]/.test(text) ? JSON.stringify(value, withExponent) : text
}

function withExponent(_key: string, value: unknown) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? rawJSON((value as number).toExponential()) : value
}

/** Part of JavaScript, and not yet of TypeScript's library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether two values of JSON are the same, in whatever order their members are. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!isEqual(a[index], b[index])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false
    if (!isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])) return false
  }
  return true
}
