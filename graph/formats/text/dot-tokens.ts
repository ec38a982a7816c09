import { Unreadable } from '../shared/graph-builder.ts'

export interface Token {
  kind: 'id' | 'punctuation' | 'end'
  /** How the id is written. */
  form: 'name' | 'numeral' | 'quoted' | 'html'
  text: string
  at: number
}

const NAME = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*/y
const NUMERAL = /-?(?:\.\d+|\d+(?:\.\d*)?)/y
const SPACE = /[\s\uFEFF]+/y
const LINE = /[^\n\r]*/y

/** Splits DOT into tokens. https://graphviz.org/doc/info/lang.html */
export class DotTokens {
  readonly #text: string
  #at = 0
  #next: Token | undefined

  constructor(text: string) {
    this.#text = text
  }

  peek(): Token {
    this.#next ??= this.#read()
    return this.#next
  }

  /** Returns whether an equals sign follows the next token. */
  isBeforeEquals(): boolean {
    this.peek()
    const at = this.#at
    this.#skipSpace()
    const found = this.#text[this.#at] === '='
    this.#at = at
    return found
  }

  take(): Token {
    const token = this.peek()
    this.#next = undefined
    return token
  }

  /** Skips the next token if it is this punctuation. Returns whether it did. */
  skip(text: string): boolean {
    const { kind, text: next } = this.peek()
    if (kind !== 'punctuation' || next !== text) return false
    this.#next = undefined
    return true
  }

  expect(text: string) {
    if (this.skip(text)) return
    const { kind, at } = this.peek()
    throw new Unreadable(
      at,
      'malformed-dot',
      kind === 'end' ? `is the end of the file, but ${text} is missing` : `is not valid DOT: expected ${text}`
    )
  }

  #read(): Token {
    this.#skipSpace()
    const at = this.#at
    const text = this.#text
    if (at >= text.length) return { kind: 'end', form: 'name', text: '', at }
    const first = text[at] as string
    if (first === '"') return { kind: 'id', form: 'quoted', text: this.#quoted(), at }
    if (first === '<') return { kind: 'id', form: 'html', text: this.#html(), at }
    const name = this.#match(NAME)
    if (name !== undefined) return { kind: 'id', form: 'name', text: name, at }
    const numeral = this.#match(NUMERAL)
    if (numeral !== undefined) return { kind: 'id', form: 'numeral', text: numeral, at }
    const operator = text.startsWith('->', at)
      ? '->'
      : text.startsWith('--', at)
        ? '--'
        : '{}[];,=:+'.includes(first)
          ? first
          : undefined
    if (operator === undefined) throw new Unreadable(at, 'malformed-dot', 'is not valid DOT')
    this.#at += operator.length
    return { kind: 'punctuation', form: 'name', text: operator, at }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)?.[0]
    if (match !== undefined) this.#at += match.length
    return match
  }

  #skipSpace() {
    const text = this.#text
    for (;;) {
      this.#match(SPACE)
      const at = this.#at
      // The documentation allows # only at the start of a line, but Graphviz ignores the rest of any line after it.
      if (text.startsWith('//', at) || text[at] === '#') this.#match(LINE)
      else if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2)
        if (end < 0) throw new Unreadable(at, 'malformed-dot', 'is an unterminated comment')
        this.#at = end + 2
      } else return
    }
  }

  /** Reads a quoted string, or several joined by `+`. */
  #quoted(): string {
    let value = ''
    for (;;) {
      value += this.#quotedPart()
      const end = this.#at
      this.#skipSpace()
      if (this.#text[this.#at] !== '+') {
        this.#at = end
        return value
      }
      this.#at++
      this.#skipSpace()
      if (this.#text[this.#at] !== '"')
        throw new Unreadable(this.#at, 'malformed-dot', 'is not valid DOT: only quoted strings can be joined')
    }
  }

  #quotedPart(): string {
    const start = this.#at
    let end = start
    do {
      end = this.#text.indexOf('"', end + 1)
      if (end < 0) throw new Unreadable(start, 'malformed-dot', 'is an unterminated string')
    } while (backslashesBefore(this.#text, end) % 2 === 1)
    this.#at = end + 1
    const raw = this.#text.slice(start + 1, end)
    // A backslash escapes a quote or joins lines. Elsewhere it is part of the text.
    return raw.includes('\\')
      ? raw.replace(/\\(\r\n|[\s\S])/g, (all, next) => (next === '"' ? '"' : /[\r\n]/.test(next) ? '' : all))
      : raw
  }

  /** Reads text in balanced angle brackets. Returns it without the outer brackets. */
  #html(): string {
    const start = this.#at
    const text = this.#text
    let depth = 0
    for (let at = start; at < text.length; at++) {
      const char = text[at]
      if (char === '<') {
        if (text.startsWith('<!--', at)) {
          const end = text.indexOf('-->', at)
          if (end < 0) break
          at = end + 2
        } else depth++
      } else if (char === '>' && --depth === 0) {
        this.#at = at + 1
        return text.slice(start + 1, at)
      }
    }
    throw new Unreadable(start, 'malformed-dot', 'is an unterminated HTML string')
  }
}

function backslashesBefore(text: string, end: number) {
  let count = 0
  while (text[end - 1 - count] === '\\') count++
  return count
}

/** Returns whether the token is this keyword. Keywords are case-insensitive and never quoted. */
export function isWord({ kind, form, text }: Token, word: string) {
  return kind === 'id' && form === 'name' && text.toLowerCase() === word
}
