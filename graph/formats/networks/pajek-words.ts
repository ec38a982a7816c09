import { decodeEntities } from '../shared/entities.ts'

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
