import { isUtf8 } from 'node:buffer'
import { foreignCharacter, likelyEncodings } from './encodings.ts'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'

/**
 * Decodes a file in the encoding given by its byte order mark, its sender or the file itself, or else as UTF-8. If no encoding
 * is given, invalid UTF-8 in a format older than UTF-8 is read as Windows-1252 and counted as a loss. Throws Unreadable if the
 * text does not look like Windows-1252.
 */
export function decodeText(
  bytes: Buffer,
  into: GraphBuilder,
  { declared, isOld }: { declared?: string | undefined; isOld: boolean }
) {
  into.text = decode(bytes, into, markOf(bytes) ?? into.charset ?? declared, isOld)
  return into.text
}

function decode(bytes: Buffer, into: GraphBuilder, encoding: string | undefined, isOld: boolean): string {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) {
    if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '')
    if (encoding !== undefined || !isOld) {
      into.text = bytes.toString('utf8')
      throw new Unreadable(Math.max(into.text.indexOf('\uFFFD'), 0), 'malformed-encoding', 'is not in UTF-8')
    }
    into.losses.add('encoding-guessed')
    return decodeWestern(bytes, into)
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable(
      0,
      'malformed-encoding',
      `is not in ${JSON.stringify(encoding.slice(0, 40))}, or that encoding is not supported`
    )
  }
}

function decodeWestern(bytes: Buffer, into: GraphBuilder) {
  into.text = new TextDecoder('windows-1252').decode(bytes)
  const place = foreignCharacter(into.text)
  if (place < 0) return into.text
  const detail = `is neither in UTF-8 nor in Windows-1252: specify its encoding, such as ${likelyEncodings(bytes)}`
  throw new Unreadable(place, 'malformed-encoding', detail)
}

/** Returns the encoding that the byte order mark indicates, or undefined if there is no mark. */
export function markOf(bytes: Buffer) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * Returns the offset after all consecutive matches of the sticky pattern. (Repetition within the pattern would overflow the stack
 * after millions of matches.)
 */
export function afterAll(text: string, pattern: RegExp, from: number): number {
  let end = from
  pattern.lastIndex = from
  while (pattern.test(text)) end = pattern.lastIndex
  return end
}

/** Parses a number such as `1.50`, `-3` or `+2e6`. Returns undefined for other text. */
export function numberOf(text: string): number | undefined {
  const number = Number(text)
  // Number() also accepts the empty string and 0x10.
  return Number.isFinite(number) && text !== '' && !/[^\d+\-.eE]/.test(text) ? number : undefined
}

/** Returns whether the text represents a missing number or boolean. */
export function isNull(text: string) {
  return /^(?:null|none|nil|undefined|n\/?a)$/i.test(text.trim())
}

/**
 * Parses a value without a declared type. It becomes a number unless that would change it: 007 stays text. Counts integers that
 * would be rounded.
 */
export function undeclaredValue(text: string, into: GraphBuilder): number | string {
  const number = numberOf(text)
  if (number === undefined || /^[+-]?0\d/.test(text)) return text
  if (Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text)) return number
  into.losses.add('number-as-text')
  return text
}

/**
 * Parses a value of a declared type. Numbers that JSON cannot represent, and integers that would be rounded, stay text and are
 * counted.
 */
export function typedValue(text: string, type: 'boolean' | 'integer' | 'double', into: GraphBuilder): unknown {
  const trimmed = text.trim()
  if (type === 'boolean') {
    if (/^(?:true|1)$/i.test(trimmed)) return true
    return /^(?:false|0)$/i.test(trimmed) ? false : undefined
  }
  const number = numberOf(trimmed)
  if (type === 'integer') {
    if (!/^[+-]?\d+$/.test(trimmed)) return number !== undefined && Number.isInteger(number) ? number : undefined
    if (Number.isSafeInteger(number)) return number
  } else if (number !== undefined) return number
  else if (!/^(?:[+-]?(?:nan|inf|infinity)|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)$/i.test(trimmed))
    return undefined
  into.losses.add('number-as-text')
  return trimmed
}
