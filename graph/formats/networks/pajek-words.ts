import { decodeEntities } from '../shared/entities.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { numberOf, undeclaredValue } from '../shared/text.ts'

/** A word in a line. */
export interface Word {
  text: string
  isQuoted: boolean
}

/** Returns a title without its quotes, if any. */
export function titleOf(text: string) {
  const trimmed = text.trim()
  const isQuoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"')
  return decodeEntities(isQuoted ? trimmed.slice(1, -1) : trimmed)
}

/** Splits a line into words, which may be quoted. Returns undefined if a quote is unclosed. */
export function wordsOf(line: string): Word[] | undefined {
  const words: Word[] = []
  const word = /\s*(?:"([^"]*)"|(\[[^\]\s]*\])|([^\s"]\S*)|$)/y
  while (word.lastIndex < line.length) {
    const match = word.exec(line)
    if (!match) return undefined
    const [, quoted, time, plain] = match
    if (quoted !== undefined) words.push({ text: quoted, isQuoted: true })
    else if (time !== undefined || plain !== undefined) words.push({ text: (time ?? plain) as string, isQuoted: false })
  }
  return words
}

const DECIMAL_COMMA = /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/

/** Parses a number. Counts decimal commas. Pajek has no thousands separators. Returns undefined for other text. */
export function pajekNumber(text: string, into: GraphBuilder): number | undefined {
  return numberOf(withPoint(text, into))
}

/** Parses the value of a parameter, which becomes a number if it looks like one. Counts decimal commas. */
export function pajekValue(text: string, into: GraphBuilder): number | string {
  return undeclaredValue(withPoint(text, into), into)
}

function withPoint(text: string, into: GraphBuilder) {
  if (!text.includes(',') || !DECIMAL_COMMA.test(text)) return text
  into.losses.add('decimal-comma')
  return text.replace(',', '.')
}
