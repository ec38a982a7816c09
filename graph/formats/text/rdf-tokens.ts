import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { afterAll } from '../shared/text.ts'

/** The kinds of tokens. A `name` is a prefixed name or a keyword. */
export type TokenKind = 'iri' | 'name' | 'blank' | 'text' | 'language' | 'number' | 'directive' | 'mark' | 'end'

export interface Token {
  kind: TokenKind
  value: string
  at: number
}

const SKIPPED = /[\s\ufeff]+|#[^\r\n]*/y

/** The tokens that a single pattern matches, in the order in which they are tried. */
const patterns: [kind: TokenKind, pattern: RegExp][] = [
  ['iri', /<([^\s<>"{}|^`]*)>/y],
  ['directive', /@(prefix|base)\b/y],
  ['language', /@([a-zA-Z]+(?:-[a-zA-Z\d]+)*)/y],
  ['number', /([+-]?(?:\d+\.(?=[eE])|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_:])/uy],
  ['mark', /(\^\^|<<|[.;,[\](){}|])/y]
]

/** The characters of names, `PN_CHARS` in the grammar, and the colon. */
const NAME_CHARACTERS =
  '\\w\\-:\\u00b7\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u203f\\u2040\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'

/** The pieces of names and strings. A whole name or string may need more repetitions than a pattern supports. */
const NAME = new RegExp(
  `[${NAME_CHARACTERS}]|%[\\da-fA-F]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%]|\\.(?=[${NAME_CHARACTERS}.%\\\\])`,
  'uy'
)
const strings: [quotes: string, piece: RegExp][] = [
  ['"""', /[^"\\]+|\\[\s\S]|"{1,2}(?!")/y],
  ["'''", /[^'\\]+|\\[\s\S]|'{1,2}(?!')/y],
  ['"', /[^"\\\r\n]+|\\./y],
  ["'", /[^'\\\r\n]+|\\./y]
]

const ESCAPES: Record<string, string> = { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f' }

/** Splits Turtle into tokens. https://www.w3.org/TR/turtle/#sec-grammar */
export class RdfTokens {
  readonly #text: string
  readonly #title: string
  #at = 0
  #next: Token | undefined

  constructor(into: GraphBuilder, title: string) {
    this.#text = into.text
    this.#title = title
  }

  peek(): Token {
    this.#next ??= this.#read()
    return this.#next
  }

  take(): Token {
    const token = this.peek()
    this.#next = undefined
    return token
  }

  /** Consumes the next token if it is this mark. */
  skip(mark: string) {
    const { kind, value } = this.peek()
    if (kind !== 'mark' || value !== mark) return false
    this.take()
    return true
  }

  malformed(at: number) {
    return new Unreadable(at, 'malformed', `is not ${this.#title} from here on`)
  }

  #read(): Token {
    this.#at = afterAll(this.#text, SKIPPED, this.#at)
    const at = this.#at
    if (at >= this.#text.length) return { kind: 'end', value: '', at }
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at
      const [, value] = pattern.exec(this.#text) ?? []
      if (value === undefined) continue
      this.#at = pattern.lastIndex
      return { kind, value: kind === 'iri' ? unescaped(value) : value, at }
    }
    return this.#string(at) ?? this.#name(at)
  }

  #string(at: number): Token | undefined {
    const [quotes, piece] = strings.find(([quotes]) => this.#text.startsWith(quotes, at)) ?? []
    if (quotes === undefined || piece === undefined) return undefined
    const start = at + quotes.length
    const end = afterAll(this.#text, piece, start)
    if (!this.#text.startsWith(quotes, end)) throw this.malformed(at)
    this.#at = end + quotes.length
    return { kind: 'text', value: unescaped(this.#text.slice(start, end)), at }
  }

  #name(at: number): Token {
    const end = afterAll(this.#text, NAME, at)
    if (end === at) throw this.malformed(at)
    this.#at = end
    const value = this.#text.slice(at, end)
    return value.startsWith('_:') ? { kind: 'blank', value: value.slice(2), at } : { kind: 'name', value, at }
  }
}

function unescaped(text: string) {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g, (_, short, long, other) => {
    const code = short ?? long
    if (code === undefined) return ESCAPES[other] ?? other
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  })
}
