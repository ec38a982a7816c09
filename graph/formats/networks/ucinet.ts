import type { Format } from '../shared/format.ts'
import { type GraphBuilder, quote, Unreadable } from '../shared/graph-builder.ts'
import { linesOf } from '../shared/lines.ts'
import { decodeText, isNull, numberOf } from '../shared/text.ts'
import { Axis, type Word, wordsOf } from './ucinet-axis.ts'
import { type Header, readHeader } from './ucinet-header.ts'

/**
 * DL, the text format of UCINET: a header, then matrices or lists of edges or neighbours.
 * http://www.analytictech.com/ucinet/help/hs5000.htm
 */
export const ucinet: Format = {
  name: 'ucinet',
  title: 'UCINET DL',
  mediaType: 'text/x-ucinet',
  endings: ['.dl'],
  recognises: (text) =>
    /^dl[\s,]+(?:n[rcm]?[\s=:]+\d|(?:format|diagonal|title)[\s=:]|(?:(?:row|col|column|matrix) )?labels?\b|data:)/i.test(
      text.slice(0, 1000)
    ),
  read: (bytes, into) => {
    const text = decodeText(bytes, into, { isOld: true })
    new Reader(into, text, readHeader(text, into)).read()
  }
}

/** A cell of a matrix that is not 0, or an entry of a list. */
interface Tie {
  row: number
  column: number
  weight: number | undefined
  matrix: number
  at: number
}

class Reader {
  readonly #into: GraphBuilder
  readonly #text: string
  readonly #header: Header
  readonly #isTwoMode: boolean
  /** Whether the data contain labels. */
  readonly #embedded: Header['embedded']
  readonly #rows: Axis
  readonly #columns: Axis
  #ties: Tie[] = []

  constructor(into: GraphBuilder, text: string, header: Header) {
    this.#into = into
    this.#text = text
    this.#header = header
    const { format, rows, columns, labels, embedded } = header
    const [first = []] = [labels.both, labels.row, labels.column].filter(({ length }) => length > 0)
    // Some programs declare labels as embedded, but write them only in the header.
    const start = wordsOf(text, header.end).next().value?.text ?? ''
    const isOmitted = first.length > 0 && numberOf(start) !== undefined && !first.includes(start)
    this.#embedded = isOmitted ? { row: false, column: false } : embedded
    const { row, column } = this.#embedded
    this.#isTwoMode = format.endsWith('2') || (!format.endsWith('1') && rows !== columns)
    this.#rows = this.#isTwoMode ? new Axis(labels.row, rows, row) : new Axis(first, rows, row || column)
    this.#columns = this.#isTwoMode ? new Axis(labels.column, columns, column) : this.#rows
  }

  read() {
    const { format, title } = this.#header
    if (title) this.#into.name = title
    this.#into.directed = !this.#isTwoMode
    if (/^edgelist[12]$/.test(format)) this.#readLists(false)
    else if (/^nodelist[12]$/.test(format)) this.#readLists(true)
    else if (/^(?:full|lower|upper)/.test(format)) this.#readMatrices()
    else
      throw new Unreadable(0, 'not-allowed', `is in the format ${quote(format)}: export it as edgelist1 or fullmatrix`)
    this.#addNodes()
  }

  /** Reads lines with a source, a target and optionally a weight, or with a node and its neighbours. */
  #readLists(hasNeighbours: boolean) {
    let matrix = 0
    for (const [line, at] of linesOf(this.#text, this.#header.end)) {
      const isEnd = line.trim() === '!'
      if (isEnd) matrix++
      const [source, ...rest] = isEnd ? [] : wordsOf(line)
      if (!source) continue
      const weight = hasNeighbours ? undefined : rest[1]
      const number = weight && numberOf(weight.text)
      if (!hasNeighbours && (rest.length === 0 || rest.length > 2 || (weight && number === undefined))) {
        this.#into.fault(at, 'malformed', 'is not a source, a target and optionally a number')
        continue
      }
      const row = this.#rows.indexOf({ ...source, at }, this.#into)
      for (const target of hasNeighbours ? rest : rest.slice(0, 1)) {
        const column = this.#columns.indexOf({ ...target, at }, this.#into)
        if (row !== undefined && column !== undefined) this.#tie({ row, column, weight: number, matrix, at })
      }
    }
  }

  /** Adds a tie, unless its value is 0. */
  #tie(tie: Tie) {
    if (tie.weight === 0) return
    this.#into.expectEdges(this.#ties.length + 1, tie.at)
    this.#ties.push(tie)
  }

  #readMatrices() {
    const { format, rows, columns, matrices, end } = this.#header
    if (rows === undefined || columns === undefined) {
      throw new Unreadable(0, 'required', 'does not specify the number of nodes, such as n=5')
    }
    const words = wordsOf(this.#text, end)
    for (let matrix = 0; matrix < matrices; matrix++) {
      if (this.#readMatrix(words, rows, columns, matrix)) continue
      const detail = `ends before the last of the ${rows} rows of ${columns} numbers`
      throw new Unreadable(this.#text.length, 'incomplete', detail)
    }
    const { value } = words.next()
    if (value) throw new Unreadable(value.at, 'malformed', `follows the ${rows} rows of ${columns} numbers`)
    if (this.#ties.every(({ weight }) => weight === 1)) for (const tie of this.#ties) tie.weight = undefined
    if (this.#isTwoMode) return
    const isHalf = !format.startsWith('full')
    if (!isHalf && (this.#into.direction === true || !this.#isSymmetric(columns))) return
    this.#into.directed = false
    if (!isHalf) this.#ties = this.#ties.filter(({ row, column }) => row <= column)
  }

  /** Reads a matrix. Returns false if the file ends first. */
  #readMatrix(words: Generator<Word, undefined>, rows: number, columns: number, matrix: number) {
    const { format, isDiagonalAbsent } = this.#header
    const order: (number | undefined)[] = []
    const [ofColumns, ofRows] = [new Set<string>(), new Set<string>()]
    for (let column = 0; column < columns && this.#embedded.column; column++) {
      const { value } = words.next()
      if (!value) return false
      order.push(this.#indexOf(value, this.#columns, ofColumns))
    }
    for (let index = 0; index < rows; index++) {
      const label = this.#embedded.row ? words.next().value : undefined
      const row = label ? this.#indexOf(label, this.#rows, ofRows) : index
      const first = format.startsWith('upper') ? index : 0
      const last = format.startsWith('lower') ? index : columns - 1
      for (let column = first; column <= last; column++) {
        if (isDiagonalAbsent && column === index) continue
        const { value } = words.next()
        if (!value) return false
        const weight = numberOf(value.text)
        const target = this.#embedded.column ? order[column] : column
        if (weight === undefined) this.#missing(value)
        else if (row !== undefined && target !== undefined) {
          this.#tie({ row, column: target, weight, matrix, at: value.at })
        }
      }
    }
    return true
  }

  /** Returns the index of a label in a matrix, which may use each label once. */
  #indexOf(label: Word, axis: Axis, used: Set<string>) {
    const { text, at } = label
    if (used.has(text)) this.#into.refuse(at, 'duplicate-id', `the label ${quote(text)} occurs more than once`)
    used.add(text)
    return axis.indexOf(label, this.#into)
  }

  #missing({ text, at }: Word) {
    if (isNull(text) || text === '.') this.#into.losses.add('null-dropped')
    else this.#into.fault(at, 'malformed', `${quote(text)} is not a number`)
  }

  #isSymmetric(size: number) {
    const keyOf = (row: number, column: number, matrix: number) => (matrix * size + row) * size + column
    const weights = new Map(
      this.#ties.map(({ row, column, matrix, weight }) => [keyOf(row, column, matrix), weight ?? 1])
    )
    return this.#ties.every(
      ({ row, column, matrix, weight }) => weights.get(keyOf(column, row, matrix)) === (weight ?? 1)
    )
  }

  /** Adds the nodes and edges. Nodes with the same label get numbers as ids. */
  #addNodes() {
    const { matrices, labels } = this.#header
    const axes = this.#isTwoMode ? [this.#rows, this.#columns] : [this.#rows]
    const nodes = axes.flatMap((axis, mode) =>
      Array.from({ length: axis.count }, (_, index) => ({ label: axis.labels[index], mode: mode + 1 }))
    )
    for (const { unnamed } of axes) this.#into.losses.add('isolated-node-dropped', unnamed)
    const ids = nodes.map(({ label }, index) => label ?? String(index + 1))
    const areDistinct = new Set(ids).size === ids.length
    const idOf = (index: number) => (areDistinct ? (ids[index] as string) : String(index + 1))
    for (const [index, { label, mode }] of nodes.entries()) {
      const node = this.#into.addNode(idOf(index), 0, this.#isTwoMode ? [['mode', mode]] : [])
      if (!areDistinct && label !== undefined) this.#into.describeNode(node, [['label', label]])
    }
    const shift = this.#isTwoMode ? this.#rows.count : 0
    for (const { row, column, weight, matrix, at } of this.#ties) {
      const edge = this.#into.addEdge(
        idOf(row),
        idOf(column + shift),
        at,
        weight === undefined ? [] : [['weight', weight]]
      )
      if (matrices === 1) continue
      const relation = labels.matrix[matrix] ?? String(matrix + 1)
      this.#into.repeat(relation.length, at)
      this.#into.describeEdge(edge, [['relation', relation]])
    }
  }
}
