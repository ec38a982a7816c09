import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'

const WORD = /[\s,]*(?:"([^"]*)"|'([^'\r\n]*)'(?=[\s,]|$)|([^\s,]+))/y

/** A word in the data, with its offset. */
export interface Word {
  text: string
  at: number
}

/** Yields the words of a text, which are separated by spaces or commas and may be quoted. */
export function* wordsOf(text: string, from = 0): Generator<Word, undefined> {
  let end = from
  for (;;) {
    WORD.lastIndex = end
    const word = WORD.exec(text)
    if (!word) return undefined
    end = WORD.lastIndex
    const quoted = word[1] ?? word[2]
    if (quoted === undefined) yield { text: word[3] as string, at: end - (word[3] as string).length }
    else yield { text: quoted, at: end - quoted.length - 2 }
  }
}

/** The rows or the columns of a matrix. In a one-mode network, they are the same. */
export class Axis {
  readonly labels: string[]
  readonly isEmbedded: boolean
  readonly #count: number | undefined
  readonly #indices: Map<string, number>

  /** `count` is the number in the header. If labels are embedded, the data define the labels. */
  constructor(labels: readonly string[], count: number | undefined, isEmbedded: boolean) {
    if (count === undefined && labels.length === 0 && !isEmbedded) {
      throw new Unreadable(0, 'required', 'does not specify the number of nodes, such as n=5')
    }
    this.labels = [...labels]
    this.isEmbedded = isEmbedded
    this.#count = count
    this.#indices = new Map(labels.map((label, index) => [label, index]))
  }

  /** The number of nodes. Without embedded labels, it includes nodes that the data do not mention. */
  get count() {
    return this.isEmbedded ? this.labels.length : (this.#count ?? this.labels.length)
  }

  /** The number of nodes that the header declares but the data do not mention. */
  get unnamed() {
    return Math.max(0, (this.#count ?? 0) - this.count)
  }

  /** Returns the index of the node with this label or number. Adds a fault if there is none. */
  indexOf({ text, at }: Word, into: GraphBuilder): number | undefined {
    const number = !this.isEmbedded && /^\d{1,9}$/.test(text) ? Number(text) : 0
    if (number >= 1 && number <= this.count) return number - 1
    const known = this.#indices.get(text)
    if (known !== undefined) return known
    if (!this.isEmbedded)
      into.fault(at, 'unknown-node', `${quote(text)} is neither a label nor a number from 1 to ${this.count}`)
    else if (this.count === this.#count) {
      into.fault(at, 'unknown-node', `${quote(text)} exceeds the ${this.#count} nodes in the header`)
    } else {
      this.#indices.set(text, this.labels.length)
      return this.labels.push(text) - 1
    }
    return undefined
  }
}
