import { isUtf8 } from 'node:buffer'
import { type GraphBuilder, Unreadable } from './graph-builder.ts'

/**
 * Decodes the text of a file: by what its sender says, by its byte order mark, by what it declares itself, or as
 * UTF-8; and what is none of that, where the format is older than UTF-8, as Windows-1252, which is told.
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
  }
  const label = encoding ?? 'windows-1252'
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable(
      0,
      'malformed-encoding',
      `is not in ${JSON.stringify(label.slice(0, 40))}, or that is no encoding known here`
    )
  }
}

function markOf(bytes: Buffer) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * How far matches of the sticky pattern go, one after another. (One pattern for all of them would remember each, and
 * have no room for millions.)
 */
export function afterAll(text: string, pattern: RegExp, from: number): number {
  let end = from
  pattern.lastIndex = from
  while (pattern.test(text)) end = pattern.lastIndex
  return end
}

/** A number as files write it, or undefined: `1.50`, `-3`, `+2e6`. */
export function numberOf(text: string): number | undefined {
  const number = Number(text)
  // Number() also takes what is empty, and 0x10.
  return Number.isFinite(number) && text !== '' && !/[^\d+\-.eE]/.test(text) ? number : undefined
}

/**
 * A value of no declared type: a number if it is written as one and stays the same; else text, such as 007. Integers
 * that would be rounded are told.
 */
export function undeclaredValue(text: string, into: GraphBuilder): number | string {
  const number = numberOf(text)
  if (number === undefined || /^[+-]?0\d/.test(text)) return text
  if (Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text)) return number
  into.losses.add('number-as-text')
  return text
}

/** A value of a declared type. Numbers that JSON cannot have, or that would be rounded, stay text, which is told. */
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

/** The entities of XML. */
export const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' }

/** Text with character references, such as `&#233;`, and the entities of these names. Others stay as they are. */
export function decodeEntities(text: string, names: Readonly<Record<string, string>> = {}): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (all, name, decimal, hex) => {
    if (name) return Object.hasOwn(names, name) ? (names[name] as string) : all
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : all
  })
}
