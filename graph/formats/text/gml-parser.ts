import { decodeEntities, LATIN_ENTITIES } from '../shared/entities.ts'
import { GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { afterAll } from '../shared/text.ts'

/** A value, and the offset of its key. */
export type Entry = [key: string, value: Value, at: number]
/** A string, a number, or a list of entries. */
export type Value = string | number | Entry[]

/** White space and comments between tokens. */
const SPACE = /[\s\uFEFF]+|#[^\n\r]*/y

const TOKEN =
  /(?:([A-Za-z_][\w.:-]*)|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|[+-](?:[iI][nN][fF]|[nN][aA][nN])\b)|"([^"]*)"|([[\]])|$)/y

/** The maximum nesting depth of lists. */
const MAX_DEPTH = 32

/** Returns the entries of the file, except the nodes and edges of its graphs, which are passed to `giveAway` one at a time. */
export function parse(text: string, into: GraphBuilder, giveAway: (element: Entry, graph: Entry[]) => void): Entry[] {
  const token = new RegExp(TOKEN)
  const root: Entry = ['', [], 0]
  const open: Entry[] = [root]
  let key: string | undefined
  let keyAt = 0
  const add = (entry: Entry) => {
    const [name, list] = open.at(-1) as [string, Entry[], number]
    const isElement = open.length === 2 && name === 'graph' && (entry[0] === 'node' || entry[0] === 'edge')
    if (isElement) giveAway(entry, list)
    else list.push(entry)
  }
  for (;;) {
    const start = afterAll(text, SPACE, token.lastIndex)
    token.lastIndex = start
    const match = token.exec(text)
    if (!match) throw notGml(start, noToken(text, start))
    const [all, name, number, string, bracket] = match
    const length = string === undefined ? (name ?? number ?? bracket ?? '').length : string.length + 2
    const at = match.index + all.length - length
    if (name !== undefined && key === undefined) {
      key = name
      keyAt = at
    } else if (bracket === ']' && key === undefined && open.length > 1) {
      add(open.pop() as Entry)
    } else if (key !== undefined && bracket === '[') {
      if (open.length > MAX_DEPTH) throw new Unreadable(at, 'too-deep', `nests deeper than ${MAX_DEPTH} levels`)
      open.push([key, [], keyAt])
      key = undefined
    } else if (key !== undefined && string !== undefined) {
      add([key, textOf(string), keyAt])
      key = undefined
    } else if (key !== undefined && (number !== undefined || /^(?:NAN|INF)$/i.test(name ?? ''))) {
      add([key, numberIn(number ?? name ?? '', into), keyAt])
      key = undefined
    } else if (key !== undefined && name !== undefined) {
      into.losses.add('text-unquoted')
      add([key, name, keyAt])
      key = undefined
    } else {
      const isEnd = name === undefined && number === undefined && string === undefined && bracket === undefined
      if (isEnd && key === undefined && open.length === 1) return root[1] as Entry[]
      const [list = ''] = open.at(-1) ?? []
      let reason = `expected a key, but found ${excerpt(all.slice(-length))}`
      if (key !== undefined) reason = `the key ${excerpt(key)} has no value`
      else if (isEnd) reason = `the list ${excerpt(list)} is not closed`
      else if (bracket === ']') reason = 'this bracket does not close a list'
      else if (bracket === '[') reason = 'a list must follow a key'
      if (isEnd) throw new Unreadable(at, 'malformed-gml', `is an unexpected end of the file: ${reason}`)
      throw notGml(at, reason)
    }
  }
}

function notGml(at: number, reason: string) {
  return new Unreadable(at, 'malformed-gml', `is not valid GML: ${reason}`)
}

/** Explains why no token begins at this offset. */
function noToken(text: string, at: number) {
  if (text[at] === '"') return 'the quote is not closed'
  const word = /[^\s"[\]]{1,40}/y
  word.lastIndex = at
  return `${excerpt(word.exec(text)?.[0] ?? text.slice(at, at + 1))} is not a key, number, quoted text or bracket`
}

function excerpt(text: string) {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}

/** Parses a number. Numbers that JSON cannot represent, and integers that would be rounded, remain text. */
function numberIn(text: string, into: GraphBuilder): number | string {
  const number = Number(text)
  if (Number.isSafeInteger(number) || (Number.isFinite(number) && !/^[+-]?\d+$/.test(text))) return number
  into.losses.add('number-as-text')
  return text
}

/**
 * Placeholders for an escaped quote and an escaped backslash: pairs of noncharacters, as long as the escapes, so that offsets
 * stay valid.
 */
const MARKED_QUOTE = '\uFDD0\uFDD1'
const MARKED_BACKSLASH = '\uFDD0\uFDD2'

/**
 * Replaces escaped quotes with placeholders if the file is unreadable otherwise. GML uses entities for quotes, but OGDF and
 * others write backslashes.
 */
export function withMarkedQuotes(text: string, into: GraphBuilder): string {
  if (!text.includes('\\"') || isReadable(text, into)) return text
  const marked = text.replace(/\\(["\\])/g, (_, char) => (char === '"' ? MARKED_QUOTE : MARKED_BACKSLASH))
  if (!isReadable(marked, into)) return text
  into.losses.add('quotes-unescaped')
  return marked
}

function isReadable(text: string, { limits }: GraphBuilder) {
  try {
    parse(text, new GraphBuilder(limits), () => {})
    return true
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

/** Decodes the text between quotes. */
function textOf(quoted: string) {
  const text = decodeEntities(quoted, LATIN_ENTITIES)
  return text.includes('\uFDD0') ? text.replaceAll(MARKED_QUOTE, '"').replaceAll(MARKED_BACKSLASH, '\\') : text
}
