import type { Edge, Node } from '../../schemas/graph-content.ts'
import { edgeAttributes, graphAttributes, nodeAttributes, type Vocabulary } from './attributes.ts'
import { DotTokens, type Token } from './dot-tokens.ts'
import { decodeEntities, ENTITIES } from './entities.ts'
import type { Format, GraphToWrite } from './format.ts'
import { type GraphBuilder, severalGraphs, Unreadable } from './graph-builder.ts'
import { fittingIds } from './ids.ts'
import type { Losses } from './losses.ts'
import { decodeText, numberOf, undeclaredValue } from './text.ts'

/** DOT, the language of Graphviz. https://graphviz.org/doc/info/lang.html */
export const dot: Format = {
  name: 'dot',
  title: 'DOT',
  mediaType: 'text/vnd.graphviz',
  endings: ['.gv', '.dot'],
  recognises,
  read: (bytes, into) => new Reader(into, decodeText(bytes, into, { isOld: true })).read(),
  write
}

function recognises(text: string) {
  const tokens = new DotTokens(text.slice(0, 100_000))
  try {
    if (isWord(tokens.peek(), 'strict')) tokens.take()
    const kind = tokens.take()
    if (!isWord(kind, 'graph') && !isWord(kind, 'digraph')) return false
    if (tokens.peek().kind === 'id') tokens.take()
    return tokens.skip('{')
  } catch {
    return false
  }
}

/** The maximum nesting of subgraphs. */
const MAX_DEPTH = 100

const nodeVocabulary: Vocabulary = { taken: new Set(['pos']) }
const placedVocabulary: Vocabulary = { position: false, taken: new Set(['pos']) }
const edgeVocabulary: Vocabulary = { id: true, taken: new Set(['key']) }
const graphVocabulary: Vocabulary = { taken: new Set(['type']) }

type Values = ReadonlyMap<string, Token>

/** The attributes of new nodes or edges, and their characters. Shared until they change. */
interface Defaults {
  values: Values
  weight: number
}

interface Scope {
  node: Defaults
  edge: Defaults
  /** The members of a subgraph; undefined for the graph itself. */
  members: Members | undefined
}

interface Operand {
  /** The name of a node, or the members of a subgraph. */
  nodes: string | Members
  port: string | undefined
}

/** Elements with the same values share them, since there may be many edges; a change copies the values. */
interface Pending<T> {
  element: T
  values: Values
}

/** The edges between two operands of a statement. */
interface Mentioned {
  /** Their attributes in the statement. */
  own: Values
  /** The same with the defaults, for new edges. */
  ofNew: Values
  /** Edges that the statement may repeat, by the numbers of their ends. */
  known: Map<number, Pending<Edge>> | undefined
  /** The new values of repeated edges, by their old values. */
  merged: Map<Values, Values> | undefined
}

const NONE: Values = new Map()

/** The maximum number of mentions in a strict graph, as a multiple of the maximum number of edges. */
const MENTIONS = 2

class Reader {
  readonly #into: GraphBuilder
  readonly #tokens: DotTokens
  readonly #nodes = new Map<string, Pending<Node>>()
  readonly #edges: Pending<Edge>[] = []
  /** Edges that later mentions may repeat, by the numbers of their ends: all of a strict graph, and those with a key. */
  readonly #known = new Map<string, Map<number, Pending<Edge>>>()
  readonly #numbers = new Map<string, number>()
  /** The number of edges mentioned by subgraphs, plus the steps to find the nodes of those. */
  #mentions = 0
  readonly #subgraphs = new Map<string, Members>()
  readonly #graphValues = new Map<string, Token>()
  #isStrict = false
  #isDirected = true
  #name = ''
  #depth = 0

  constructor(into: GraphBuilder, text: string) {
    this.#into = into
    this.#tokens = new DotTokens(text)
  }

  read() {
    const tokens = this.#tokens
    if (isWord(tokens.peek(), 'strict')) {
      tokens.take()
      this.#isStrict = true
    }
    const kind = tokens.take()
    if (!isWord(kind, 'graph') && !isWord(kind, 'digraph')) {
      throw new Unreadable(kind.at, 'malformed-dot', 'is not DOT: expected graph or digraph')
    }
    this.#isDirected = isWord(kind, 'digraph')
    this.#into.directed = this.#isDirected
    if (tokens.peek().kind === 'id') this.#name = tokens.take().text
    if (this.#name.trim() !== '') this.#into.name = this.#name
    const empty = (): Defaults => ({ values: new Map(), weight: 0 })
    tokens.expect('{')
    this.#statements({ node: empty(), edge: empty(), members: undefined })
    const after = tokens.peek()
    if (['graph', 'digraph', 'strict'].some((word) => isWord(after, word))) throw severalGraphs(after.at)
    if (after.kind !== 'end') throw new Unreadable(after.at, 'malformed-dot', 'follows the end of the graph')
    this.#describe()
  }

  #statements(scope: Scope) {
    const tokens = this.#tokens
    while (!tokens.skip('}')) if (!tokens.skip(';')) this.#statement(scope)
  }

  #statement(scope: Scope) {
    const tokens = this.#tokens
    const first = tokens.peek()
    for (const kind of ['graph', 'node', 'edge'] as const) {
      if (!isWord(first, kind)) continue
      tokens.take()
      const values = this.#attributes()
      if (kind !== 'graph') scope[kind] = this.#changed(scope[kind], values, first.at)
      else if (!scope.members) for (const [name, value] of values) this.#graphValues.set(name, value)
      return
    }
    if (first.kind !== 'id' && !(first.kind === 'punctuation' && first.text === '{')) {
      throw new Unreadable(
        first.at,
        'malformed-dot',
        first.kind === 'end' ? 'is the end of the file; } is missing' : 'is not DOT from here on'
      )
    }
    if (first.kind === 'id' && this.#graphAttribute(scope)) return
    const operands = [this.#operand(scope)]
    while (this.#edgeOperator()) operands.push(this.#operand(scope))
    const { kind, text } = tokens.peek()
    const values: Values = kind === 'punctuation' && text === '[' ? this.#attributes() : NONE
    const [{ nodes: only }] = operands as [Operand]
    if (operands.length > 1) this.#addEdges(operands, values, scope, first.at)
    // Attributes after a subgraph are allowed, and mean nothing.
    else if (typeof only === 'string' && values.size > 0) this.#give(this.#nodes.get(only), values, first.at)
  }

  /** Adds values to an element. */
  #give<T>(pending: Pending<T> | undefined, more: Values, at: number) {
    if (!pending) return
    this.#into.repeat(pending.values.size * OVERHEAD, at)
    pending.values = new Map([...pending.values, ...more])
  }

  /** Reads `name = value`, if it comes next. */
  #graphAttribute(scope: Scope): boolean {
    const tokens = this.#tokens
    if (!tokens.isBeforeEquals()) return false
    const name = tokens.take()
    tokens.expect('=')
    const value = this.#id()
    if (!scope.members) this.#graphValues.set(name.text, value)
    return true
  }

  /** Reads a node or a subgraph. */
  #operand(scope: Scope): Operand {
    const tokens = this.#tokens
    const first = tokens.peek()
    if (isWord(first, 'subgraph') || (first.kind === 'punctuation' && first.text === '{')) {
      return { nodes: this.#subgraph(scope), port: undefined }
    }
    if (first.kind !== 'id') throw new Unreadable(first.at, 'malformed-dot', 'is not DOT: expected a node')
    tokens.take()
    let port: string | undefined
    while (tokens.skip(':')) port = port === undefined ? this.#id().text : `${port}:${this.#id().text}`
    this.#mention(first, scope)
    return { nodes: first.text, port }
  }

  #edgeOperator() {
    const tokens = this.#tokens
    const { kind, text, at } = tokens.peek()
    if (kind !== 'punctuation' || (text !== '->' && text !== '--')) return false
    if ((text === '->') !== this.#isDirected) {
      throw new Unreadable(
        at,
        'malformed-dot',
        `is ${text} in a ${this.#isDirected ? 'digraph, which has ->' : 'graph, which has --'}`
      )
    }
    tokens.take()
    return true
  }

  #subgraph(scope: Scope): Members {
    const tokens = this.#tokens
    const first = tokens.peek()
    let name: string | undefined
    if (isWord(first, 'subgraph')) {
      tokens.take()
      if (tokens.peek().kind === 'id') name = tokens.take().text
    }
    const known = name === undefined ? undefined : this.#subgraphs.get(name)
    const members = known ?? new Members()
    if (name !== undefined && !known) {
      this.#subgraphs.set(name, members)
      this.#into.losses.add('subgraph-flattened')
    }
    if (tokens.skip('{')) {
      if (++this.#depth > MAX_DEPTH) throw new Unreadable(first.at, 'too-deep', `nests deeper than ${MAX_DEPTH} levels`)
      this.#statements({ node: scope.node, edge: scope.edge, members })
      this.#depth--
    } else if (name === undefined) tokens.expect('{')
    if (scope.members && scope.members !== members) scope.members.addAll(members)
    return members
  }

  #mention({ text: id, at }: Token, scope: Scope) {
    scope.members?.add(id)
    if (this.#nodes.has(id)) return
    this.#numbers.set(id, this.#nodes.size)
    this.#nodes.set(id, { element: this.#into.addNode(id, at), values: scope.node.values })
  }

  #addEdges(operands: Operand[], values: Values, scope: Scope, at: number) {
    for (let index = 1; index < operands.length; index++) {
      const [tail, head] = [operands[index - 1] as Operand, operands[index] as Operand]
      const own = withPorts(tail, head, values, at)
      const isNew = own.size > 0 && scope.edge.values.size > 0
      if (isNew) this.#into.repeat(scope.edge.weight, at)
      const ofNew = isNew ? new Map([...scope.edge.values, ...own]) : own.size > 0 ? own : scope.edge.values
      const edges: Mentioned = { own, ofNew, known: this.#knownBy(values), merged: undefined }
      const [sources, targets] = [this.#nodesOf(tail, at), this.#nodesOf(head, at)]
      this.#expect(sources.length * targets.length, edges.known !== undefined, at)
      for (const source of sources) for (const target of targets) this.#edge(source, target, edges, at)
    }
  }

  /** The known edges that a mention may repeat. */
  #knownBy(values: Values): Map<number, Pending<Edge>> | undefined {
    const key = this.#isStrict ? '' : values.get('key')?.text
    if (key === undefined) return undefined
    let known = this.#known.get(key)
    if (!known) {
      known = new Map()
      this.#known.set(key, known)
    }
    return known
  }

  #nodesOf({ nodes }: Operand, at: number): readonly string[] {
    if (typeof nodes === 'string') return [nodes]
    const list = nodes.list()
    this.#count(list.effort, at)
    return list.nodes
  }

  /** Throws before so many edges would exceed the limit. */
  #expect(count: number, mayBeKnown: boolean, at: number) {
    if (!mayBeKnown) this.#into.expectEdges(count, at)
    else if (count > 1) this.#count(count, at)
  }

  #count(effort: number, at: number) {
    const { maxNodes, maxEdges } = this.#into.limits
    this.#mentions += effort
    this.#into.work(effort)
    if (this.#mentions <= MENTIONS * (maxNodes + maxEdges)) return
    throw new Unreadable(at, 'too-many-edges', `names the edges of subgraphs more often than ${MENTIONS} times each`)
  }

  /** Adds an edge, or the values to the edge that this mention repeats. */
  #edge(source: string, target: string, mentioned: Mentioned, at: number) {
    const { own, ofNew, known } = mentioned
    let identity = 0
    if (known) {
      const [from, to] = [this.#numbers.get(source) as number, this.#numbers.get(target) as number]
      identity = this.#isDirected || from < to ? from * 2 ** 26 + to : to * 2 ** 26 + from
      const edge = known.get(identity)
      if (edge) {
        this.#into.losses.add('edge-merged')
        if (own.size === 0) return
        // Edges that shared values share the merged ones.
        mentioned.merged ??= new Map()
        let values = mentioned.merged.get(edge.values)
        if (!values) {
          this.#into.repeat((edge.values.size + own.size) * OVERHEAD, at)
          values = new Map([...edge.values, ...own])
          mentioned.merged.set(edge.values, values)
        }
        edge.values = values
        return
      }
    }
    const pending = { element: this.#into.addEdge(source, target, at), values: ofNew }
    this.#edges.push(pending)
    known?.set(identity, pending)
  }

  /** Returns a copy of the defaults with more values, since others may share them. */
  #changed({ values, weight }: Defaults, more: Values, at: number): Defaults {
    this.#into.repeat(weight, at)
    const changed = new Map([...values, ...more])
    return { values: changed, weight: weight + weightOf(more) }
  }

  #attributes(): Values {
    const tokens = this.#tokens
    const values = new Map<string, Token>()
    const { at } = tokens.peek()
    if (!tokens.skip('[')) throw new Unreadable(at, 'malformed-dot', 'is not DOT: expected [')
    do {
      while (!tokens.skip(']')) {
        const name = this.#id()
        values.set(name.text, tokens.skip('=') ? this.#id() : { ...name, form: 'name', text: 'true' })
        if (!tokens.skip(',')) tokens.skip(';')
      }
    } while (tokens.skip('['))
    return values
  }

  #id(): Token {
    const token = this.#tokens.take()
    if (token.kind === 'id') return token
    throw new Unreadable(
      token.at,
      'malformed-dot',
      token.kind === 'end' ? 'is an unexpected end of the file' : 'is not DOT: expected a name or value'
    )
  }

  /** Sets all attributes, once they are complete. */
  #describe() {
    for (const { element, values } of this.#nodes.values()) {
      const place = this.#position(values.get('pos'))
      if (place) Object.assign(element, place)
      const attributes = this.#valuesOf(values, { node: element.id, said: place && 'pos' })
      this.#into.describeNode(element, attributes, place ? placedVocabulary : nodeVocabulary)
    }
    for (const { element, values } of this.#edges) {
      const isUndirected = this.#isDirected && values.get('dir')?.text === 'none'
      if (isUndirected) element.directed = false
      const attributes = this.#valuesOf(values, { text: 'id', said: isUndirected ? 'dir' : undefined })
      this.#into.describeEdge(element, attributes, edgeVocabulary)
    }
    const type = this.#graphValues.get('type')
    if (type && type.text !== '') {
      this.#into.type = type.text
      this.#graphValues.delete('type')
    }
    this.#into.describe(this.#valuesOf(this.#graphValues, {}))
  }

  #position(token: Token | undefined) {
    if (token) this.#into.repeat(token.text.length, token.at)
    return positionOf(token)
  }

  /** All values except the one named `said`; the one named `text` as text; labels as those of this node. */
  *#valuesOf(
    values: Values,
    { node = '', said, text: asText }: { node?: string; said?: string | undefined; text?: string }
  ): Generator<[string, unknown]> {
    for (const [name, token] of values) {
      const { form, text } = token
      if (name === said) continue
      if (name === asText) yield [name, text]
      else if (name === 'label' && form === 'html') {
        yield ['label', textOfHtml(text)]
        yield ['htmlLabel', text]
      } else if (name === 'label') yield ['label', this.#label(token, node)]
      else yield [name, this.#value(token)]
    }
  }

  /** The value of a token: quoted ones are text, bare numerals are numbers. */
  #value({ form, text, at }: Token): unknown {
    if (form === 'html') {
      this.#into.losses.add('text-changed')
      return `<${text}>`
    }
    if (form === 'name') return text === 'true' ? true : text === 'false' ? false : text
    if (form === 'quoted') return text
    // Many elements may share the value, and the number does not show how long its text was.
    this.#into.repeat(text.length, at)
    return undeclaredValue(text, this.#into)
  }

  /** The text of a label as Graphviz draws it: https://graphviz.org/docs/attr-types/escString/ */
  #label({ text, at }: Token, node: string): string {
    if (!text.includes('\\') && !text.includes('&')) return text
    const repeated = (name: string) => {
      this.#into.repeat(name.length, at)
      return name
    }
    return decodeEntities(
      text.replace(/\\([\s\S])/g, (_, next: string) => {
        if (next === 'l' || next === 'r') this.#into.losses.add('visual-dropped')
        if (next === 'n' || next === 'l' || next === 'r') return '\n'
        if (next === 'N') return repeated(node)
        if (next === 'G') return repeated(this.#name)
        return next
      }),
      entities
    )
  }
}

/** Keywords are case-insensitive, and never quoted. */
function isWord({ kind, form, text }: Token, word: string) {
  return kind === 'id' && form === 'name' && text.toLowerCase() === word
}

function textToken(text: string, at: number): Token {
  return { kind: 'id', form: 'quoted', text, at }
}

/** The cost of an attribute beyond its characters, in characters. */
const OVERHEAD = 8

function weightOf(values: Values) {
  let weight = 0
  for (const [name, { text }] of values) weight += name.length + text.length + OVERHEAD
  return weight
}

/** The members of a subgraph in order: nodes, and subgraphs up to their length at that time. */
class Members {
  readonly #items: (string | { members: Members; count: number })[] = []
  #flat: { nodes: readonly string[]; count: number } | undefined

  add(node: string) {
    this.#items.push(node)
  }

  addAll(members: Members) {
    this.#items.push({ members, count: members.#items.length })
  }

  /** Returns each node once, and the number of steps it took. */
  list(): { nodes: readonly string[]; effort: number } {
    const count = this.#items.length
    if (this.#flat?.count === count) return { nodes: this.#flat.nodes, effort: 0 }
    const nodes = new Set<string>()
    // How far each subgraph has been visited; earlier members have been seen.
    const seen = new Map<Members, number>([[this, count]])
    const open = [{ members: this as Members, at: 0, end: count }]
    let effort = 0
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.at >= top.end) {
        open.pop()
        continue
      }
      effort++
      const item = top.members.#items[top.at++] as string | { members: Members; count: number }
      if (typeof item === 'string') {
        nodes.add(item)
        continue
      }
      const before = seen.get(item.members) ?? 0
      if (before >= item.count) continue
      seen.set(item.members, item.count)
      open.push({ members: item.members, at: before, end: item.count })
    }
    this.#flat = { nodes: [...nodes], count }
    return { nodes: this.#flat.nodes, effort }
  }
}

/** Adds the ports of the ends to the values of a statement. */
function withPorts(tail: Operand, head: Operand, values: Values, at: number): Values {
  if (tail.port === undefined && head.port === undefined) return values
  const all = new Map<string, Token>()
  if (tail.port !== undefined && !values.has('tailport')) all.set('tailport', textToken(tail.port, at))
  if (head.port !== undefined && !values.has('headport')) all.set('headport', textToken(head.port, at))
  for (const [name, value] of values) all.set(name, value)
  return all
}

/** Reads `x,y` or `x,y,z`, optionally with `!`, which pins the node. */
function positionOf(token: Token | undefined) {
  const [x, y, z, ...more] = (token?.text ?? '')
    .replace(/!$/, '')
    .split(',')
    .map((part) => numberOf(part.trim()))
  if (x === undefined || y === undefined || more.length > 0) return undefined
  return { x, y, ...(z !== undefined && { z }) }
}

/** The HTML entities of Graphviz, as far as they are used. */
const entities = { ...ENTITIES, nbsp: '\u00a0' }

/** The text of an HTML-like label without comments and tags; some tags end a line. */
function textOfHtml(html: string) {
  let text = ''
  let at = 0
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', at)) {
    text += html.slice(at, start)
    const ending = html.startsWith('<!--', start) ? '-->' : '>'
    const end = html.indexOf(ending, start)
    if (end < 0) return decodeEntities(text, entities).trim()
    at = end + ending.length
    if (/^<(?:br\b|\/tr>)/i.test(html.slice(start, start + 5))) text += '\n'
  }
  return decodeEntities(text + html.slice(at), entities).trim()
}

function write({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true, nodes, edges } = content
  const isDirected = edges.length === 0 ? directed : edges.some((edge) => edge.directed ?? directed)
  const safeId = fittingIds(
    nodes.map(({ id }) => id),
    UNSAYABLE,
    '$&\\',
    losses
  )
  const ofGraph = [...graphAttributes(content, graphVocabulary, losses)]
  countChanges(ofGraph, losses)
  for (const node of nodes) countChanges(nodeValues(node, losses), losses)
  for (const edge of edges) countChanges(edgeValues(edge, directed, isDirected, losses), losses)

  return (function* () {
    const arrow = isDirected ? '->' : '--'
    yield `${isDirected ? 'digraph' : 'graph'} ${quote(name)} {\n`
    if (type !== undefined) yield `  type=${quote(type)};\n`
    for (const [key, value] of ofGraph) yield `  ${idText(key)}=${valueText(key, value)};\n`
    for (const node of nodes) yield `  ${quote(safeId(node.id))}${attributeList(nodeValues(node))};\n`
    for (const edge of edges) {
      const ends = `${quote(safeId(edge.source))} ${arrow} ${quote(safeId(edge.target))}`
      yield `  ${ends}${attributeList(edgeValues(edge, directed, isDirected))};\n`
    }
    yield '}\n'
  })()
}

function* nodeValues(node: Node, losses?: Losses): Generator<[string, unknown]> {
  const { x, y, z, label, metadata } = node
  const isPlaced = x !== undefined && y !== undefined
  if (isPlaced) yield ['pos', z === undefined ? `${x},${y}` : `${x},${y},${z}`]
  yield* labelled(
    nodeAttributes(node, isPlaced ? placedVocabulary : nodeVocabulary, losses),
    label,
    metadata?.htmlLabel
  )
}

function* edgeValues(
  edge: Edge,
  directed: boolean,
  isDirected: boolean,
  losses?: Losses
): Generator<[string, unknown]> {
  const isUndirected = isDirected && !(edge.directed ?? directed)
  if (isUndirected) yield ['dir', 'none']
  for (const [name, value] of labelled(
    edgeAttributes(edge, edgeVocabulary, losses),
    edge.label,
    edge.metadata?.htmlLabel
  )) {
    const isTaken = name === 'dir' && (isUndirected || value === 'none')
    if (isTaken) losses?.add('attribute-renamed')
    yield [isTaken ? 'metadata.dir' : name, value]
  }
}

/** Writes a label that equals the text of `htmlLabel` as that HTML-like label. */
function* labelled(
  attributes: Iterable<[string, unknown]>,
  label: string | undefined,
  html: unknown
): Generator<[string, unknown]> {
  const isHtml = typeof html === 'string' && isBalanced(html) && textOfHtml(html) === label
  for (const [name, value] of attributes) {
    if (isHtml && name === 'label') yield [name, new Html(html)]
    else if (!isHtml || name !== 'htmlLabel') yield [name, value]
  }
}

class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function isBalanced(html: string) {
  if (html.includes('<!--')) return false
  let depth = 0
  for (const char of html) {
    if (char === '<') depth++
    else if (char === '>' && --depth < 0) return false
  }
  return depth === 0
}

function attributeList(attributes: Iterable<[string, unknown]>) {
  const parts: string[] = []
  for (const [name, value] of attributes) parts.push(`${idText(name)}=${valueText(name, value)}`)
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`
}

function idText(name: string) {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !/^(?:node|edge|graph|digraph|subgraph|strict)$/i.test(name)
  return isPlain ? name : quote(name)
}

function valueText(name: string, value: unknown): string {
  if (value instanceof Html) return `<${value.text}>`
  if (typeof value === 'number') return numeral(value)
  if (typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name !== 'label') return quote(text)
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/&(?=#?\w+;)/g, '&amp;')
  return quote(escaped)
}

/** A number without an exponent, which DOT does not have. */
function numeral(value: number) {
  const text = String(value)
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  // A whole number beyond 2^53 gets a point, which marks it as a double.
  if (exponent === undefined) return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${text}.0` : text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}.${digits.slice(point) || '0'}`
}

/** Text that a quoted string cannot hold: an odd number of backslashes before a quote, a line end, or its own end. */
const UNSAYABLE = /(?<!\\)\\(?:\\\\)*(?=["\n\r]|$)/g

function quote(text: string) {
  return `"${text.replace(UNSAYABLE, '$&\\').replaceAll('"', '\\"')}"`
}

function countChanges(attributes: Iterable<[string, unknown]>, losses: Losses) {
  for (const [name, value] of attributes) {
    if (value instanceof Html) continue
    if (typeof value === 'object') losses.add('nested-metadata')
    const texts = typeof value === 'string' && name !== 'label' ? [name, value] : [name]
    for (const text of texts) if (text.search(UNSAYABLE) >= 0) losses.add('text-changed')
  }
}
