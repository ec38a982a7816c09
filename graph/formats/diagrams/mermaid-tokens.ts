import { decodeEntities, ENTITIES } from '../shared/entities.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'

/** The shapes: an opening bracket, a pattern for the closing one, and Mermaid 11's names for the shape. */
const shapes: [opening: string, closing: RegExp, names: Record<string, string>][] = [
  ['(((', /\){3}/g, { ')))': 'double-circle' }],
  ['((', /\)\)/g, { '))': 'circle' }],
  ['([', /\]\)/g, { '])': 'stadium' }],
  ['[[', /\]\]/g, { ']]': 'subprocess' }],
  ['[(', /\)\]/g, { ')]': 'cylinder' }],
  ['{{', /\}\}/g, { '}}': 'hexagon' }],
  ['[/', /[/\\]\]/g, { '/]': 'lean-right', '\\]': 'trapezoid' }],
  ['[\\', /[/\\]\]/g, { '\\]': 'lean-left', '/]': 'inv-trapezoid' }],
  ['[', /\]/g, {}],
  ['(', /\)/g, { ')': 'rounded' }],
  ['{', /\}/g, { '}': 'diamond' }],
  ['>', /\]/g, { ']': 'odd' }]
]

const brackets = new Map(
  shapes.flatMap(([opening, , names]) =>
    Object.entries(names).map(([closing, name]) => [name, [opening, closing] as const] as const)
  )
)

/** Returns the brackets of a shape, if it has any. */
export function bracketsOf(shape: unknown) {
  return typeof shape === 'string' ? brackets.get(shape) : undefined
}

const ID = /(?:[\p{L}\p{N}_!"#$'*+.`?\\/]|:(?!::)|-(?![->.])|=(?!=))/uy
const LINK = /([<ox]?)(--+[-xo>]|==+[=xo>]|-\.+-[xo>]?|~~~+)/y
/** A link whose text comes before its end: `-- text -->`. */
const OPEN_LINK = /([<ox]?)(--|==|-\.)/y
const LINK_ENDS: Record<string, RegExp> = { '--': /--+[-xo>]/g, '==': /==+[=xo>]/g, '-.': /(?<!\.)\.+-[xo>]?/g }

export interface Link {
  text: string
  /** The head at each end: `<`, `>`, `o`, `x` or nothing. */
  heads: [string, string]
  isInvisible: boolean
}

/** Reads the parts of a Mermaid statement. https://mermaid.js.org/syntax/flowchart.html */
export class MermaidTokens {
  readonly #text: string
  at: number

  constructor(into: GraphBuilder, at: number) {
    this.#text = into.text
    this.at = at
  }

  take(pattern: RegExp) {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  skipSpace() {
    this.take(/[ \t]*/y)
  }

  /** Returns the rest of the line, and moves to the next line. */
  restOfLine() {
    const rest = this.take(/[^\r\n]*/y)?.[0] ?? ''
    return rest.trim()
  }

  /** Returns the rest of the statement, up to a line break or a semicolon outside quotes. */
  restOfStatement() {
    const start = this.at
    do this.take(/[^";\r\n]*/y)
    while (this.take(/"[^"\r\n]*"?/y))
    return this.#text.slice(start, this.at).trim()
  }

  malformed(at = this.at) {
    return new Unreadable(at, 'malformed', 'is not a Mermaid flowchart from here on')
  }

  id(): string {
    const start = this.at
    ID.lastIndex = start
    while (ID.test(this.#text)) this.at = ID.lastIndex
    if (this.at === start) throw this.malformed()
    return this.#text.slice(start, this.at)
  }

  /** Reads the shape and the text of a node, if it has them. */
  shape(): { name: string | undefined; text: string } | undefined {
    const [opening, closing, names] = shapes.find(([opening]) => this.#text.startsWith(opening, this.at)) ?? []
    if (opening === undefined || closing === undefined) return undefined
    const start = this.at
    this.at += opening.length
    const quoted = this.take(/[ \t]*"([^"]*)"[ \t]*/y)?.[1]
    const from = this.at
    closing.lastIndex = from
    const end = closing.exec(this.#text)
    if (!end || (quoted !== undefined && end.index > from)) throw this.malformed(start)
    this.at = closing.lastIndex
    return { name: names?.[end[0]], text: plainText(quoted ?? this.#text.slice(from, end.index)) }
  }

  /** Reads the properties of a node or link, `@{…}`, if there are any. Quoted text may contain braces. */
  properties(): string | undefined {
    if (!this.take(/@\{/y)) return undefined
    const start = this.at
    while (this.take(/[^"}]*"[^"]*"/y));
    if (!this.take(/[^"}]*\}/y)) throw this.malformed(start)
    return this.#text.slice(start, this.at - 1)
  }

  /** Reads a link with its text, if there is one. */
  link(): Link | undefined {
    const whole = this.take(LINK)
    if (whole) {
      const [, left = '', body = ''] = whole
      const [, quoted, text = ''] = this.take(/[ \t]*\|(?:[ \t]*"([^"]*)"[ \t]*|([^|]*))\|/y) ?? []
      return { text: plainText(quoted ?? text), heads: [left, headOf(body)], isInvisible: body.startsWith('~') }
    }
    const opened = this.take(OPEN_LINK)
    if (!opened) return undefined
    const pattern = LINK_ENDS[opened[2] as string] as RegExp
    pattern.lastIndex = this.at
    const end = pattern.exec(this.#text)
    if (!end) throw this.malformed()
    const text = this.#text.slice(this.at, end.index)
    this.at = pattern.lastIndex
    return { text: plainText(text), heads: [opened[1] ?? '', headOf(end[0])], isInvisible: false }
  }
}

function headOf(body: string) {
  return /[xo>]$/.exec(body)?.[0] ?? ''
}

/** Returns the text without quotes, with its entities (`#quot;`, `#35;`) and line breaks decoded. */
export function plainText(text: string) {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/^`(.*)`$/s, '$1')
  const entities = bare.replace(/#(\w{1,10};)/g, (_, name) => (/^\d/.test(name) ? `&#${name}` : `&${name}`))
  return decodeEntities(entities.replace(/<br\s?\/?>/gi, '\n'), ENTITIES)
}
