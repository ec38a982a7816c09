import type { Edge } from '../../../schemas/graph-content.ts'
import { put } from '../shared/attributes.ts'
import { decodeEntities } from '../shared/entities.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { decodeText } from '../shared/text.ts'
import { PajekValues } from './pajek-values.ts'
import { pajekNumber, pajekValue, titleOf, type Word, wordsOf } from './pajek-words.ts'
import { IDS_ARE_LABELS, IDS_FOLLOW, writePajek } from './pajek-writer.ts'

/** Pajek, .net and .paj. http://mrvar.fdv.uni-lj.si/pajek/ (reference manual, "Input data formats") */
export const pajek: Format = {
  name: 'pajek',
  title: 'Pajek',
  mediaType: 'text/x-pajek',
  endings: ['.net', '.paj'],
  growsDown: true,
  recognises: (text) =>
    /^(?:\s|[%#][^\n\r]*[\n\r])*\*(?:network|vertices|partition|vector|permutation|cluster|hierarchy)\b/i.test(
      text.slice(0, 100_000)
    ),
  read: (bytes, into) => new Reader(into, decodeText(bytes, into, { isOld: true })).read(),
  write: writePajek
}

/** A comment with the id of a vertex. */
const ID = /^% (\d{1,9}) "([^"]*)"( unlabelled)?$/

/** The sections in Infomap's files, which store edges in a different form. */
const INFOMAP = ['links', 'states', 'intra', 'inter', 'multilayer', 'multiplex', 'bipartite', 'contexts', 'paths']

type Section = 'start' | 'vertices' | 'arcs' | 'edges' | 'arcslist' | 'edgeslist' | 'matrix' | 'values' | 'other'

class Reader {
  readonly #into: GraphBuilder
  readonly #text: string
  #section: Section = 'start'
  /** The offset of the text before the first section. */
  #preamble: number | undefined
  /** The number of vertices, in total and in the first mode. */
  #count: number | undefined
  #firstMode: number | undefined
  #hasIdLabels = false
  /** The ids from comments, by vertex number, and the vertices without a label. */
  readonly #givenIds = new Map<number, string>()
  readonly #unlabelled = new Set<number>()
  #areIdsFollowing = false
  readonly #values: PajekValues
  /**
   * Whether the current section belongs to a network after the first one, and whether the vertices of that network have begun.
   */
  #isSkipped = false
  #hasSkippedVertices = false
  /** Whether the next vertex count belongs to a hierarchy. */
  #isHierarchy = false
  /** Functions that add the vertices, by vertex number. Used until all vertices are known. */
  #vertices: (((id: string) => void) | undefined)[] = []
  #ids: string[] = []
  #isFinished = false
  #relation: string | undefined
  #row = 0
  readonly #directed: boolean[] = []
  /** Whether the current section lists edges rather than arcs. */
  #isUndirected = false

  constructor(into: GraphBuilder, text: string) {
    this.#into = into
    this.#text = text
    this.#values = new PajekValues(into)
  }

  read() {
    const line = /([^\r\n]*)(\r\n?|\n|$)/y
    while (line.lastIndex < this.#text.length) {
      const at = line.lastIndex
      const [, content = ''] = line.exec(this.#text) ?? []
      this.#line(content, at)
    }
    this.#closeMatrix(this.#text.length)
    this.#finishVertices()
    if (this.#count === undefined && this.#values.hasAny) {
      throw new Unreadable(0, 'required', 'has partitions, vectors or similar data, but no network')
    }
    if (this.#count === undefined) {
      throw new Unreadable(this.#preamble ?? 0, 'malformed-pajek', 'is not Pajek: expected *Vertices')
    }
    // Text before the vertices is a human-readable description.
    if (this.#preamble !== undefined) this.#into.losses.add('aspects-dropped')
    this.#values.apply()
    const { edges } = this.#into.content
    this.#into.directed = this.#directed.length === 0 ? !this.#isUndirected : this.#directed.includes(true)
    for (const [index, directed] of this.#directed.entries()) {
      if (directed !== this.#into.directed) Object.assign(edges[index] as Edge, { directed })
    }
  }

  #line(content: string, at: number) {
    const trimmed = content.trim()
    if (trimmed === '') return
    if (trimmed.startsWith('%') || trimmed.startsWith('#')) return this.#comment(trimmed)
    if (trimmed.startsWith('*')) return this.#openSection(trimmed, at)
    if (this.#section === 'other') return
    if (this.#section === 'start') {
      this.#preamble ??= at
      return
    }
    if (this.#section === 'values') return this.#values.add(trimmed, at)
    const words = this.#withoutTimes(wordsOf(content))
    if (!words) return this.#faultOfLine(at, 'contains a quote that is not closed')
    if (this.#section === 'vertices') return this.#vertex(words, at)
    if (this.#section === 'matrix') this.#matrixRow(words, at)
    else if (this.#section === 'arcs' || this.#section === 'edges') this.#edge(words, at)
    else this.#list(words, at)
  }

  /** Adds a fault for a line. In a matrix, skipping a row would shift all rows below it. */
  #faultOfLine(at: number, detail: string) {
    if (this.#section === 'matrix') this.#into.refuse(at, 'malformed', detail)
    else this.#into.fault(at, 'malformed', detail)
  }

  #comment(line: string) {
    if (line === IDS_ARE_LABELS) this.#hasIdLabels = true
    else if (line === IDS_FOLLOW) this.#areIdsFollowing = true
    else if (this.#areIdsFollowing && this.#count === undefined) {
      const [, number, id, unlabelled] = ID.exec(line) ?? []
      if (number === undefined || id === undefined) return
      this.#givenIds.set(Number(number) - 1, decodeEntities(id))
      if (unlabelled) this.#unlabelled.add(Number(number) - 1)
    }
  }

  #openSection(line: string, at: number) {
    this.#closeMatrix(at)
    // Two steps, because a pattern with overlapping parts would take quadratic time.
    const opening = line.slice(1).trimStart()
    const name = /^\w*/.exec(opening)?.[0] ?? ''
    const rest = opening.slice(name.length)
    const section = name.toLowerCase()
    const words = wordsOf(rest) ?? []
    this.#relation = undefined
    if (section !== 'vertices') this.#isHierarchy = false
    if (section === 'network') this.#openNetwork(titleOf(rest))
    else if (PajekValues.kinds.includes(section)) {
      this.#section = 'values'
      this.#isSkipped = false
      this.#values.open(section, titleOf(rest), at)
    } else if (section === 'vertices' && this.#isHierarchy) this.#isHierarchy = false
    else if (section === 'vertices' && this.#section === 'values' && this.#values.count === undefined) {
      this.#values.count = this.#countOf(words[0], at)
    } else if (section === 'vertices' && this.#count === undefined) {
      this.#section = 'vertices'
      this.#openVertices(words, at)
    } else if (section === 'vertices') {
      if (!this.#isSkipped || this.#hasSkippedVertices) this.#skipNetwork()
      this.#hasSkippedVertices = true
    } else if (this.#isSkipped) this.#section = 'other'
    else if (INFOMAP.includes(section)) {
      throw new Unreadable(at, 'not-allowed', `*${name} is an Infomap section, which is not part of Pajek`)
    } else if (['arcs', 'edges', 'arcslist', 'edgeslist', 'matrix'].includes(section)) {
      if (this.#count === undefined) throw new Unreadable(at, 'malformed-pajek', 'is not Pajek: expected *Vertices')
      this.#section = section as Section
      this.#finishVertices()
      this.#isUndirected = section === 'edges' || section === 'edgeslist'
      // In `*Arcs :2 "knows"`, the quoted text is the relation of the arcs that follow.
      const named = words.find(({ isQuoted }) => isQuoted) ?? words[0]
      if (named && rest.trim().startsWith(':')) this.#relation = named.text.replace(/^:/, '')
      this.#row = 0
    } else {
      this.#section = 'other'
      this.#isHierarchy = section === 'hierarchy'
      this.#into.losses.add('aspects-dropped')
    }
  }

  /** Starts the network, or skips it if there is already one. */
  #openNetwork(title: string) {
    this.#isSkipped = false
    if (this.#count !== undefined) return this.#skipNetwork()
    this.#section = 'start'
    if (title !== '') this.#into.name = title
  }

  /** Skips an additional network. Only the first network in a file is read. */
  #skipNetwork() {
    this.#into.losses.add('network-dropped')
    this.#isSkipped = true
    this.#hasSkippedVertices = false
    this.#section = 'other'
  }

  #countOf(word: Word | undefined, at: number): number {
    if (!word || !/^\d{1,9}$/.test(word.text))
      throw new Unreadable(at, 'required', 'does not specify the number of vertices')
    return Number(word.text)
  }

  #openVertices(words: Word[], at: number) {
    const count = this.#countOf(words[0], at)
    const firstMode = /^\d{1,9}$/.test(words[1]?.text ?? '') ? Number(words[1]?.text) : undefined
    this.#count = count
    if (firstMode !== undefined && firstMode > count) {
      this.#into.refuse(at, 'not-allowed', `has ${firstMode} vertices in the first mode, but only ${count} in total`)
    } else if (firstMode !== undefined && firstMode < count) this.#firstMode = firstMode
    if (count > this.#into.limits.maxNodes) {
      throw new Unreadable(at, 'too-many-nodes', `has more than ${this.#into.limits.maxNodes} nodes`)
    }
    this.#vertices = new Array(count)
  }

  #vertex(words: Word[], at: number) {
    const [number, label, ...rest] = words
    const index = this.#indexOf(number?.text, at)
    if (index === undefined) return
    if (this.#vertices[index])
      return this.#into.fault(at, 'duplicate-id', `vertex ${index + 1} is defined more than once`)
    const text = label === undefined ? undefined : decodeEntities(label.text)
    if (this.#hasIdLabels && text !== undefined) this.#ids[index] = text
    this.#vertices[index] = (id) => {
      const metadata = this.#modeOf(index)
      const coordinates: number[] = []
      while (rest[0] && !rest[0].isQuoted && coordinates.length < 3) {
        const number = pajekNumber(rest[0].text, this.#into)
        if (number === undefined) break
        coordinates.push(number)
        rest.shift()
      }
      // A shape may precede the pairs of parameters and values.
      if (rest.length % 2 === 1) put(metadata, 'shape', (rest.shift() as Word).text)
      this.#parameters(rest, metadata)
      const node = this.#into.addNode(id, at, Object.entries(metadata))
      const hasLabel = text !== undefined && !this.#hasIdLabels && !this.#unlabelled.has(index)
      if (hasLabel) this.#into.describeNode(node, [['label', text]])
      const [x, y, z] = coordinates
      if (x !== undefined && y !== undefined) Object.assign(node, { x, y, ...(z !== undefined && { z }) })
    }
  }

  #modeOf(index: number): Record<string, unknown> {
    return this.#firstMode === undefined ? {} : { mode: index < this.#firstMode ? 1 : 2 }
  }

  /** Adds all vertices, including those without a line. */
  #finishVertices() {
    if (this.#isFinished || this.#count === undefined) return
    this.#isFinished = true
    for (let index = 0; index < this.#count; index++) {
      const id = this.#givenIds.get(index) ?? this.#ids[index] ?? String(index + 1)
      this.#ids[index] = id
      const add = this.#vertices[index]
      if (add) add(id)
      else this.#into.addNode(id, 0, Object.entries(this.#modeOf(index)))
    }
    this.#vertices = []
  }

  #indexOf(text: string | undefined, at: number): number | undefined {
    if (text === undefined || !/^\d{1,9}$/.test(text)) {
      this.#into.fault(at, 'malformed', `${JSON.stringify((text ?? '').slice(0, 40))} is not a vertex number`)
      return undefined
    }
    const number = Number(text)
    if (number >= 1 && number <= (this.#count ?? 0)) return number - 1
    this.#into.fault(at, 'unknown-node', `vertex ${number} is not between 1 and ${this.#count}`)
    return undefined
  }

  #edge(words: Word[], at: number) {
    const [source, target, ...rest] = words
    const { skipped } = this.#into
    const ends = [this.#indexOf(source?.text, at), this.#indexOf(target?.text, at)]
    if (ends[0] === undefined || ends[1] === undefined) {
      // Both ends may have a fault, but the line counts as one edge.
      this.#into.skipped = skipped + 1
      return
    }
    const metadata: Record<string, unknown> = {}
    const weight = pajekNumber(rest[0]?.isQuoted === false ? rest[0].text : '', this.#into)
    if (weight !== undefined) {
      metadata.weight = weight
      rest.shift()
    }
    this.#parameters(rest, metadata)
    const { l: label, ...others } = metadata
    const edge = this.#addEdge(ends[0], ends[1], others, at)
    if (label !== undefined) this.#into.describeEdge(edge, [['label', String(label)]])
  }

  #addEdge(source: number, target: number, metadata: Record<string, unknown>, at: number): Edge {
    const ends = [this.#ids[source], this.#ids[target]] as [string, string]
    const edge = this.#into.addEdge(...ends, at, Object.entries(metadata))
    if (this.#relation !== undefined) this.#into.describeEdge(edge, [['relation', this.#relation]])
    this.#directed.push(this.#section !== 'edges' && this.#section !== 'edgeslist')
    return edge
  }

  /** Drops intervals such as `[1-3]`, which specify when a vertex or line exists. */
  #withoutTimes(words: Word[] | undefined) {
    const timeless = words?.filter(({ text, isQuoted }) => isQuoted || !text.startsWith('['))
    if (timeless && timeless.length < (words?.length ?? 0)) this.#into.losses.add('dynamics-dropped')
    return timeless
  }

  /** Reads pairs of names and values. */
  #parameters(words: Word[], metadata: Record<string, unknown>) {
    for (let index = 0; index < words.length; index += 2) {
      const { text } = words[index] as Word
      const value = words[index + 1]
      if (value === undefined) put(metadata, text, true)
      else put(metadata, text, value.isQuoted ? decodeEntities(value.text) : pajekValue(value.text, this.#into))
    }
  }

  #list(words: Word[], at: number) {
    const [source, ...targets] = words.map(({ text }) => this.#indexOf(text, at))
    if (source === undefined) return
    for (const target of targets) if (target !== undefined) this.#addEdge(source, target, {}, at)
  }

  /** The dimensions of the matrix. In a two-mode network, rows belong to the first mode and columns to the second. */
  get #shape() {
    const count = this.#count ?? 0
    const first = this.#firstMode
    if (first === undefined) return { rows: count, columns: count, shift: 0 }
    return { rows: first, columns: count - first, shift: first }
  }

  #closeMatrix(at: number) {
    if (this.#section !== 'matrix' || this.#row >= this.#shape.rows) return
    this.#into.refuse(at, 'incomplete', `ends the matrix after ${this.#row} of its ${this.#shape.rows} rows`)
  }

  /** Reads a row of the matrix. */
  #matrixRow(words: Word[], at: number) {
    const { rows, columns, shift } = this.#shape
    if (this.#row >= rows || words.length !== columns) {
      const detail = `does not fit the matrix, which must have ${rows} rows of ${columns} numbers`
      return this.#into.refuse(at, 'malformed', detail)
    }
    for (const [column, { text }] of words.entries()) {
      const weight = pajekNumber(text, this.#into)
      if (weight === undefined)
        this.#into.fault(at, 'malformed', `${JSON.stringify(text.slice(0, 40))} is not a number`)
      else if (weight !== 0) this.#addEdge(this.#row, column + shift, { weight }, at)
    }
    this.#row++
  }
}
