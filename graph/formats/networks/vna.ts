import type { Node } from '../../../schemas/graph-content.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { linesOf, nodesOf } from '../shared/lines.ts'
import { decodeText, numberOf, undeclaredValue } from '../shared/text.ts'

/**
 * VNA, the text format of NetDraw: tables of nodes, node properties and ties.
 * http://netwiki.amath.unc.edu/DataFormats/NetDrawVna
 */
export const vna: Format = {
  name: 'vna',
  title: 'NetDraw VNA',
  mediaType: 'text/x-vna',
  endings: ['.vna'],
  growsDown: true,
  recognises: (text) => SECTION.test(text.slice(0, 100)),
  read: (bytes, into) => new Reader(into, decodeText(bytes, into, { isOld: true })).read()
}

const SECTION = /^[ \t]*\*[ \t]*(node|tie)[ \t]+(data|properties)\b/i

/** The columns of node properties that are kept, and their names in the graph. */
const drawn = new Map([
  ['shortlabel', 'label'],
  ...['x', 'y', 'color', 'size', 'shape'].map((name) => [name, name] as const)
])

interface Word {
  text: string
  isQuoted: boolean
}

/** Splits a line into words, which may be quoted. A comma is a separator if the header of the section has commas. */
function wordsOf(line: string, hasCommas: boolean): Word[] {
  const words = line.matchAll(hasCommas ? /"([^"]*)"|[^\s,"]+/g : /"([^"]*)"|[^\s"]+/g)
  return [...words].map(([all, quoted]) => ({ text: quoted ?? all, isQuoted: quoted !== undefined }))
}

class Reader {
  readonly #into: GraphBuilder
  readonly #text: string
  readonly #nodeOf: (id: string, at: number) => Node
  /** The nodes in a table of nodes. */
  readonly #described = new Set<string>()
  /** The current section, such as `tie data`. */
  #section: string | undefined
  #columns: string[] | undefined
  #hasCommas = false
  #ends: [source: number, target: number] = [0, 1]

  constructor(into: GraphBuilder, text: string) {
    this.#into = into
    this.#text = text
    this.#nodeOf = nodesOf(into)
  }

  read() {
    for (const [line, at] of linesOf(this.#text)) {
      if (line.trim() === '') continue
      const [, element, kind] = SECTION.exec(line) ?? []
      if (element !== undefined && kind !== undefined) {
        this.#section = `${element} ${kind}`.toLowerCase()
        this.#columns = undefined
      } else if (this.#section === undefined) {
        throw new Unreadable(at, 'malformed', 'is not VNA: expected *Node data or *Tie data')
      } else if (this.#columns === undefined) this.#openColumns(line, at)
      else this.#row(wordsOf(line, this.#hasCommas), this.#columns, at)
    }
    if (this.#section === undefined) throw new Unreadable(0, 'required', 'has neither *Node data nor *Tie data')
    const { nodes } = this.#into.content
    if (this.#described.size === 0) return
    for (const { id } of nodes) if (!this.#described.has(id)) this.#into.losses.addNamed('node-not-in-table', quote(id))
  }

  #openColumns(line: string, at: number) {
    this.#hasCommas = line.includes(',')
    this.#columns = wordsOf(line, this.#hasCommas).map(({ text }) => text)
    if (this.#section !== 'tie data') return
    const names = this.#columns.map((name) => name.toLowerCase())
    const [source, target] = [names.indexOf('from'), names.indexOf('to')]
    this.#ends = source >= 0 && target >= 0 ? [source, target] : [0, 1]
    if (names.length < 2) throw new Unreadable(at, 'required', 'has no columns "from" and "to"')
  }

  #row(words: Word[], columns: string[], at: number) {
    if (this.#section === 'tie properties') return this.#into.losses.add('visual-dropped')
    if (words.length !== columns.length) {
      return this.#into.fault(at, 'malformed', `has ${words.length} values, but there are ${columns.length} columns`)
    }
    if (this.#section === 'tie data') this.#tie(words, columns, at)
    else if (this.#section === 'node data') this.#node(words, columns, at)
    else this.#draw(words, columns, at)
  }

  #tie(words: Word[], columns: string[], at: number) {
    const [source, target] = this.#ends.map((index) => this.#nodeOf(words[index]?.text ?? '', at).id) as [
      string,
      string
    ]
    const isWeighted = columns.some((name) => /^weight$/i.test(name))
    const attributes = columns.flatMap((name, index): [string, unknown][] => {
      if (this.#ends.includes(index)) return []
      const isWeight = /^weight$/i.test(name) || (!isWeighted && /^strength$/i.test(name))
      return [[isWeight ? 'weight' : name, this.#valueOf(words[index] as Word)]]
    })
    this.#into.addEdge(source, target, at, attributes)
  }

  #node([id, ...values]: Word[], [, ...columns]: string[], at: number) {
    const { text } = id as Word
    if (this.#described.has(text))
      return this.#into.fault(at, 'duplicate-id', `describes node ${JSON.stringify(text.slice(0, 40))} again`)
    this.#described.add(text)
    const node = this.#nodeOf(text, at)
    const attributes = columns.map((name, index): [string, unknown] => [name, this.#valueOf(values[index] as Word)])
    this.#into.describeNode(node, attributes, { position: false })
  }

  /** Reads the position, label, colour, size and shape of a node. */
  #draw([id, ...values]: Word[], [, ...columns]: string[], at: number) {
    const node = this.#nodeOf((id as Word).text, at)
    let isDropped = false
    for (const [index, column] of columns.entries()) {
      const name = drawn.get(column.toLowerCase())
      const word = values[index] as Word
      const value = name === 'x' || name === 'y' ? numberOf(word.text) : this.#valueOf(word)
      if (name === 'label' && (word.text === node.id || node.label !== undefined)) continue
      const isTaken = name !== undefined && node.metadata !== undefined && Object.hasOwn(node.metadata, name)
      if (name === undefined || value === undefined || isTaken) isDropped = true
      else
        this.#into.describeNode(node, [
          [name, name === 'color' ? colourOf(value) : name === 'label' ? word.text : value]
        ])
    }
    if (isDropped) this.#into.losses.add('visual-dropped')
  }

  #valueOf({ text, isQuoted }: Word) {
    return isQuoted ? text : undeclaredValue(text, this.#into)
  }
}

/** Returns a colour as `#rrggbb`. NetDraw writes it as a number whose lowest byte is red. */
function colourOf(value: unknown) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffffff) return value
  const bytes = [value & 0xff, (value >> 8) & 0xff, value >> 16]
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
