import { put } from '../shared/attributes.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { typedValue, undeclaredValue } from '../shared/text.ts'

/** The maximum nesting depth of a dictionary, which exceeds the limit for metadata. */
const DEPTH = 16

const SPACE = /\s*/y
const TEXT = /[bu]?(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/y
const NUMBER = /[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const WORD = /[+-]?[a-z_][\w.]*/iy
const CLOSING: Record<string, string> = { '{': '}', '[': ']', '(': ')' }

/** The escapes of Python's repr. */
const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Thrown for text that is not a literal. */
class NotLiteral extends Error {}

/**
 * Parses a dictionary as Python prints it, such as `{'weight': 3.0, 'tags': ['x']}`. Returns undefined for other text, and
 * omits values of None.
 */
export function pythonDictionary(text: string, into: GraphBuilder): Record<string, unknown> | undefined {
  const reader = new Reader(text, into)
  try {
    const value = reader.value(0)
    return reader.isAtEnd && text.startsWith('{') ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof NotLiteral) return undefined
    throw error
  }
}

class Reader {
  readonly #text: string
  readonly #into: GraphBuilder
  #at = 0

  constructor(text: string, into: GraphBuilder) {
    this.#text = text
    this.#into = into
  }

  get isAtEnd() {
    this.#take(SPACE)
    return this.#at === this.#text.length
  }

  #take(pattern: RegExp) {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #skip(mark: string) {
    this.#take(SPACE)
    if (this.#text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  value(depth: number): unknown {
    if (depth > DEPTH) throw new NotLiteral()
    this.#take(SPACE)
    const opening = this.#text[this.#at] ?? ''
    if (opening === '{') return this.#dictionary(depth)
    if (opening === '[' || opening === '(') return this.#list(CLOSING[opening] as string, depth)
    const quoted = this.#take(TEXT)
    if (quoted) return unescaped(quoted[1] ?? quoted[2] ?? '')
    const number = this.#take(NUMBER)?.[0].replaceAll('_', '')
    if (number !== undefined) return undeclaredValue(number, this.#into)
    return this.#word(depth)
  }

  /** Reads a constant, or a NumPy number such as `np.float64(1.5)`. */
  #word(depth: number) {
    const word = this.#take(WORD)?.[0]
    if (word === 'True' || word === 'False') return word === 'True'
    if (word === 'None') {
      this.#into.losses.add('null-dropped')
      return undefined
    }
    if (word !== undefined && /^[+-]?(?:nan|inf)$/.test(word)) return typedValue(word, 'double', this.#into)
    if (word === undefined || !/^(?:np|numpy)\./.test(word) || !this.#skip('(')) throw new NotLiteral()
    const value = this.value(depth + 1)
    if (!this.#skip(')')) throw new NotLiteral()
    return value
  }

  #dictionary(depth: number) {
    const record: Record<string, unknown> = {}
    this.#at++
    while (!this.#skip('}')) {
      const key = this.value(depth + 1)
      if (!this.#skip(':') || typeof key === 'object') throw new NotLiteral()
      const value = this.value(depth + 1)
      if (value !== undefined) put(record, String(key), value)
      if (!this.#skip(',') && this.#text[this.#at] !== '}') throw new NotLiteral()
    }
    return record
  }

  #list(closing: string, depth: number) {
    const items: unknown[] = []
    this.#at++
    while (!this.#skip(closing)) {
      items.push(this.value(depth + 1) ?? null)
      if (!this.#skip(',') && this.#text[this.#at] !== closing) throw new NotLiteral()
    }
    return items
  }
}

function unescaped(text: string) {
  return text.replace(ESCAPE, (_, byte, short, long, other) => {
    const code = byte ?? short ?? long
    if (code === undefined) return CONTROLS[other] ?? other
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'
  })
}
