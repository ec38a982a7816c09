import { isUtf8 } from 'node:buffer'
import { type Fault, MAX_FAULTS } from '../../schemas/problem.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { decoded, type OpenPath, type Visit, walkJson } from './json-text.ts'
import { LineIndex } from './lines.ts'
import { faultPointer } from './pointers.ts'

/** The maximum nesting depth of a body. The deepest schema has 12 levels. */
const MAX_DEPTH = 32

/** The maximum number of members in an object. An element's metadata never needs more. */
const MAX_MEMBERS = 10_000

/**
 * Returns the value for a number that JSON or JavaScript cannot represent: `NaN`, `Infinity` or `-Infinity`, or an integer
 * beyond ±(2^53-1). Undefined omits the member. `name` is the name or index of the member.
 */
export type Convert = (literal: string, name: string | number) => unknown

export interface Leniency {
  /** The maximum number of members in an object. Files need more, since an object may have one per node. */
  members?: number
  /** The maximum nesting depth. */
  depth?: number
  /** Converts numbers that would otherwise be faults. */
  convert?: Convert
}

/**
 * Parses JSON (RFC 8259) in UTF-8. In the result, every string is well-formed Unicode, every number is finite, and every number
 * written as an integer is within ±(2^53-1). Throws `malformed-json` or `validation-failed`.
 */
export function parseJson(bytes: Buffer, leniency: Leniency = {}): unknown {
  if (!isUtf8(bytes)) throw new ProblemError('malformed-json', { detail: 'The JSON is not in UTF-8.' })
  const { members = MAX_MEMBERS, depth = MAX_DEPTH, convert } = leniency
  // JSON.parse takes seconds for a million brackets or for an object with a million keys.
  guardShape(bytes, members, depth)
  // A byte order mark is not part of the text.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  let value: unknown
  let isConverted = false
  try {
    value = jsonValue(text)
  } catch {
    const end = walkJson(text, undefined, convert !== undefined)
    if (!convert || end !== undefined) throw notJson(text, end ?? text.length)
    value = rebuild(text, convert)
    isConverted = true
  }
  let mayRound: boolean | undefined
  const isLong = () => {
    mayRound ??= /\d{16}/.test(text)
    return mayRound
  }
  if (mayBeUnfit(value, text.includes('\\u'), isLong)) {
    const faults = findUnfit(text, convert !== undefined)
    if (faults.length > 0) throw new ProblemError('validation-failed', { errors: faults })
    if (convert && !isConverted) return rebuild(text, convert)
  }
  return value
}

function notJson(text: string, offset: number) {
  const { line, column } = new LineIndex(text).position(offset)
  return new ProblemError('malformed-json', {
    detail: `The JSON is not valid at line ${line}, column ${column}.`,
    errors: [{ line, column, code: 'malformed-json', detail: 'is not valid JSON' }]
  })
}

/**
 * Parses JSON like JSON.parse, but works around a bug in V8 14 (Node.js 26), which confuses member names that contain escape
 * sequences. After parsing a member named `\"`, V8 reads the name `""`, written `\"\"`, as `\"` if it is at the same position in
 * another text. The wrong name always has a backslash, so text with such names is parsed again without V8.
 */
export function jsonValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes('\\') && hasBackslash(value) ? rebuild(text) : value
}

function hasBackslash(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasBackslash)
  for (const name in value) {
    if (name.includes('\\') || hasBackslash((value as Record<string, unknown>)[name])) return true
  }
  return false
}

/** Parses text already known to be valid JSON, apart from the numbers to convert. */
function rebuild(text: string, convert?: Convert): unknown {
  const open: unknown[] = []
  const visit: Visit = (start, end, path) => {
    const { depth } = path
    let value = valueAt(text, start, end)
    if (convert && typeof value === 'number' && !Number.isSafeInteger(value)) {
      const literal = text.slice(start, end)
      if (isInteger(literal)) value = convert(literal, depth === 0 ? '' : path.step(depth - 1))
    }
    open[depth] = value
    const parent = open[depth - 1]
    if (depth === 0) return
    if (Array.isArray(parent)) parent.push(value ?? null)
    else if (value !== undefined) setMember(parent as Record<string, unknown>, path.step(depth - 1) as string, value)
  }
  walkJson(text, visit, convert !== undefined)
  return open[0]
}

/** Returns the scalar between these offsets, or an empty array or object. */
function valueAt(text: string, start: number, end: number): unknown {
  const first = text[start]
  if (first === '"') return decoded(text, start, end)
  if (first === '{') return {}
  if (first === '[') return []
  return first === 't' ? true : first === 'f' ? false : first === 'n' ? null : Number(text.slice(start, end))
}

/** Sets a member regardless of its name. An assignment would not define `__proto__`. */
function setMember(record: Record<string, unknown>, name: string, value: unknown) {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  } else record[name] = value
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Limits depth and the number of members by scanning the bytes. */
function guardShape(bytes: Buffer, maxMembers: number, maxDepth: number) {
  let depth = 0
  /** The number of members so far in each open object; minus infinity for arrays, whose length is not limited here. */
  const members = new Float64Array(maxDepth + 1)
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      // Skips to the end of the string, including escaped quotes.
      while (++at < bytes.length && bytes[at] !== QUOTE) if (bytes[at] === BACKSLASH) at++
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) throw badShape(`nests deeper than ${maxDepth} levels`)
      members[depth] = byte === OPEN_ARRAY ? Number.NEGATIVE_INFINITY : 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth > 0) depth--
    } else if (byte === COMMA && countMember(members, depth) > maxMembers) {
      throw badShape(`has an object with more than ${maxMembers} members`)
    }
  }
}

function badShape(detail: string) {
  const errors = [{ code: 'malformed-json', detail }]
  return new ProblemError('malformed-json', { detail: `The JSON ${detail}.`, errors })
}

function countMember(members: Float64Array, depth: number) {
  const count = (members[depth] ?? 0) + 1
  members[depth] = count
  return count
}

/**
 * Returns whether the value may contain data that Graphstead cannot store: lone surrogates, which only escape sequences can
 * produce, and numbers that would be rounded. Large numbers require a check of the text; `mayBeLong` returns whether the text may
 * contain long integers.
 */
function mayBeUnfit(value: unknown, hasEscapes: boolean, mayBeLong: () => boolean): boolean {
  if (typeof value === 'string') return hasEscapes && !value.isWellFormed()
  if (typeof value === 'number') {
    return Math.abs(value) > Number.MAX_SAFE_INTEGER && (!Number.isFinite(value) || mayBeLong())
  }
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (mayBeUnfit(item, hasEscapes, mayBeLong)) return true
    return false
  }
  // Results of JSON.parse inherit no enumerable members.
  for (const name in value) {
    if (hasEscapes && !name.isWellFormed()) return true
    if (mayBeUnfit((value as Record<string, unknown>)[name], hasEscapes, mayBeLong)) return true
  }
  return false
}

/** Returns the first 50 values or names that cannot be stored, with their pointers. */
function findUnfit(text: string, isLenient: boolean): Fault[] {
  const faults: Fault[] = []
  const report = (path: OpenPath, code: string, detail: string) =>
    faults.push({ pointer: faultPointer(path.steps), code, detail })
  const visit: Visit = (start, end, path) => {
    if (path.hasMalformedName) report(path, 'malformed-unicode', 'has a name with a lone surrogate')
    const first = text[start] as string
    if (first === '"') {
      if (!decoded(text, start, end).isWellFormed()) report(path, 'malformed-unicode', 'contains a lone surrogate')
    } else if (first === '-' || (first >= '0' && first <= '9')) {
      const literal = text.slice(start, end)
      const number = Number(literal)
      if (isLenient && isInteger(literal)) return
      if (!Number.isFinite(number)) report(path, 'number-too-large', 'is a number too large to store')
      else if (!(Math.abs(number) <= Number.MAX_SAFE_INTEGER) && isInteger(literal)) {
        report(path, 'number-too-large', 'is an integer beyond ±(2^53-1) and would be rounded')
      }
    }
    return faults.length >= MAX_FAULTS
  }
  walkJson(text, visit, isLenient)
  return faults.slice(0, MAX_FAULTS)
}

/** Returns whether the number is written without a fraction or exponent. Also true for NaN and Infinity. */
function isInteger(text: string) {
  return !/[.eE]/.test(text)
}

/**
 * Serializes the value as JSON that parseJson accepts: whole numbers beyond ±(2^53-1) get an exponent, which distinguishes them
 * from integers that would be rounded.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value)
  return /[:,[]-?\d{16,}[,\]}]/.test(text) ? JSON.stringify(value, withExponent) : text
}

function withExponent(_key: string, value: unknown) {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? rawJSON((value as number).toExponential()) : value
}

/** TypeScript does not declare `rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether two JSON values are equal, ignoring the order of members. */
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
