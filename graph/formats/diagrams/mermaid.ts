import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { jsonValue } from '../../content/json.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { nodesOf } from '../shared/lines.ts'
import { decodeText } from '../shared/text.ts'
import { MermaidTokens, plainText } from './mermaid-tokens.ts'
import { ORIGINAL_ID, writeMermaid } from './mermaid-writer.ts'

/** Mermaid flowcharts. https://mermaid.js.org/syntax/flowchart.html */
export const mermaid: Format = {
  name: 'mermaid',
  title: 'Mermaid',
  mediaType: 'text/vnd.mermaid',
  endings: ['.mmd', '.mermaid'],
  recognises: (text) => headerEnd(text) !== undefined || otherDiagramIn(text) !== undefined,
  read: (bytes, into) => new Reader(into, decodeText(bytes, into, { isOld: false })).read(),
  write: writeMermaid
}

/** The settings and comments that may precede the header. */
const BEFORE = /^\s*(?:---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n)?(?:\s*%%[^\n]*\n)*\s*/
const HEADER =
  /^(?:(?:graph|flowchart(?:-elk)?)[ \t]+(?:TD|TB|BT|RL|LR|[<>^v])|flowchart(?:-elk)?|graph(?=[ \t]*[;\r\n]))[ \t]*(?=[;\r\n]|$)(?!;?\s*[[{])/

function startOf(text: string) {
  return BEFORE.exec(text)?.[0].length ?? 0
}

/** Returns the offset after the header of a flowchart, or undefined if the text has none. */
function headerEnd(text: string) {
  const start = startOf(text)
  const header = HEADER.exec(text.slice(start, start + 200))
  return header ? start + header[0].length : undefined
}

/** The kinds of diagrams that are not flowcharts. The line after a kind that is also an English word must be indented. */
const OTHER =
  /^(?:(sequenceDiagram|classDiagram(?:-v2)?|stateDiagram(?:-v2)?|erDiagram|requirementDiagram|gitGraph|quadrantChart|C4(?:Context|Container|Component|Dynamic|Deployment)|(?:architecture|block|packet|radar|sankey|treemap|xychart)-beta)(?=[\s:])|(gantt|pie|mindmap|journey|timeline|kanban|sankey|packet|block|treemap)\b[^\n,;\t]*\r?\n[ \t]+\S)/

function otherDiagramIn(text: string) {
  const start = startOf(text)
  const [, name, word] = OTHER.exec(text.slice(start, start + 200)) ?? []
  return name ?? word
}

const STYLE = /(?:style|classDef|class|linkStyle|click|direction)\b(?![ \t]*[-=~<[({&@:])/y

/** A title or description, on one line or in braces. */
const TITLE = /acc(?:Title|Descr)[ \t]*:[^\r\n]*|accDescr[ \t]*\{[^}]*\}/y

class Reader {
  readonly #into: GraphBuilder
  readonly #tokens: MermaidTokens
  readonly #start: number | undefined
  readonly #nodeOf: (id: string, at: number) => Node
  /** The nodes in a subgraph. */
  readonly #placed = new Set<Node>()
  readonly #edges = new Set<string>()
  /** The original ids of nodes, by the ids in the flowchart. */
  readonly #ids = new Map<string, string>()
  /** The titles of the open subgraphs. */
  readonly #open: string[] = []
  /** The titles of subgraphs by id. A link may connect a subgraph. */
  readonly #titles = new Map<string, string>()

  constructor(into: GraphBuilder, text: string) {
    this.#into = into
    this.#start = headerEnd(text)
    this.#tokens = new MermaidTokens(into, this.#start ?? 0)
    this.#nodeOf = nodesOf(into)
  }

  read() {
    if (this.#start === undefined) throw this.#notFlowchart()
    for (;;) {
      this.#tokens.take(/[\s;]*/y)
      if (this.#tokens.at >= this.#into.text.length) break
      this.#statement()
    }
    for (const node of this.#into.content.nodes) {
      const title = this.#titles.get(node.id)
      if (title !== undefined && node.label === undefined) this.#into.describeNode(node, [['label', title]])
    }
  }

  #notFlowchart() {
    const name = otherDiagramIn(this.#into.text)
    if (name === undefined) return this.#tokens.malformed()
    return new Unreadable(
      startOf(this.#into.text),
      'not-allowed',
      `is a Mermaid ${name}, but only flowcharts are supported`
    )
  }

  #statement() {
    if (this.#tokens.take(/(?=%%)/y)) this.#comment(this.#tokens.restOfLine())
    else if (this.#tokens.take(TITLE)) this.#into.losses.add('visual-dropped')
    else if (this.#tokens.take(STYLE)) {
      this.#tokens.restOfStatement()
      this.#into.losses.add('visual-dropped')
    } else if (this.#tokens.take(/subgraph\b(?=[ \t]*["\p{L}\p{N}_[\r\n])/uy)) this.#openSubgraph()
    else if (this.#tokens.take(/end(?=[ \t]*(?:[;\r\n]|$))/y)) this.#open.pop()
    else this.#chain()
  }

  /** Reads the original id of a node from a comment. */
  #comment(comment: string) {
    const [, written, json] = comment.startsWith(ORIGINAL_ID) ? (/ (\S+): (".*")$/s.exec(comment) ?? []) : []
    if (written === undefined || json === undefined) return
    try {
      this.#ids.set(written, String(jsonValue(json)))
    } catch {
      // This is an ordinary comment.
    }
  }

  #openSubgraph() {
    const title = this.#tokens.restOfStatement()
    const [, id = '', bracketed] = /^([^\s[]*)[ \t]*\[(.*)\]$/.exec(title) ?? []
    if (id !== '' && bracketed !== undefined) this.#titles.set(id, plainText(bracketed))
    this.#open.push(plainText(bracketed ?? title))
    this.#into.losses.add('subgraph-flattened')
  }

  /** Reads nodes, and the links between them: `a & b --> c -->|text| d`. */
  #chain() {
    const { at } = this.#tokens
    let before = this.#group()
    for (;;) {
      this.#tokens.skipSpace()
      const id = this.#tokens.take(/([\p{L}\p{N}_]+)@(?=[<ox]?[-=~])/uy)?.[1]
      const link = this.#tokens.link()
      if (!link) break
      this.#tokens.take(/\s*/y)
      const after = this.#group()
      if (link.isInvisible) this.#into.losses.add('visual-dropped')
      else {
        this.#into.expectEdges(before.length * after.length, at)
        for (const source of before) for (const target of after) this.#link(source, target, link, id, at)
      }
      before = after
    }
    if (!this.#tokens.take(/[ \t]*(?=[;\r\n]|%%|$)/y)) throw this.#tokens.malformed()
  }

  #link(
    source: Node,
    target: Node,
    { text, heads: [left, right] }: { text: string; heads: [string, string] },
    id: string | undefined,
    at: number
  ) {
    this.#into.repeat(text.length, at)
    const isBackwards = left === '<' && right === ''
    const [from, to] = isBackwards ? [target.id, source.id] : [source.id, target.id]
    const edge: Edge = this.#into.addEdge(from, to, at, text === '' ? [] : [['label', text]])
    if (id !== undefined) {
      if (!this.#edges.has(id)) edge.id = id
      this.#edges.add(id)
    }
    if (left === '' && right === '') edge.directed = false
    else if (left === '<' && right === '>') this.#into.addReverse(edge, at)
  }

  #group(): Node[] {
    const nodes = [this.#node()]
    while (this.#tokens.take(/[ \t]*&[ \t]*/y)) nodes.push(this.#node())
    return nodes
  }

  #node(): Node {
    const { at } = this.#tokens
    const written = this.#tokens.id()
    const id = this.#ids.get(written) ?? written
    const properties = this.#tokens.properties()
    if (properties !== undefined && this.#edges.has(id)) {
      this.#into.losses.add('visual-dropped')
      return { id }
    }
    const node = this.#nodeOf(id, at)
    const shape = properties === undefined ? this.#tokens.shape() : shapeIn(properties)
    if (shape) {
      if (shape.text !== undefined && shape.text !== id) this.#into.describeNode(node, [['label', shape.text]])
      if (shape.name !== undefined) this.#into.describeNode(node, [['shape', shape.name]])
    }
    if (this.#tokens.take(/:::/y)) {
      this.#tokens.id()
      this.#into.losses.add('visual-dropped')
    }
    const subgraph = this.#open.at(-1)
    if (subgraph !== undefined && !this.#placed.has(node)) {
      this.#placed.add(node)
      this.#into.repeat(subgraph.length, at)
      this.#into.describeNode(node, [['subgraph', subgraph]])
    }
    return node
  }
}

/** Returns the shape and label in properties such as `shape: circle, label: "A"`. */
function shapeIn(properties: string) {
  const [, quoted, plain] = /\blabel:[ \t]*(?:"([^"]*)"|([^,"\n]+))/.exec(properties) ?? []
  const text = quoted ?? plain
  return {
    name: /\bshape:[ \t]*"?([\w-]+)/.exec(properties)?.[1],
    text: text === undefined ? undefined : plainText(text)
  }
}
