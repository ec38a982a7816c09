import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { type GraphBuilder, severalGraphs, Unreadable } from '../shared/graph-builder.ts'
import { Members } from './dot-subgraphs.ts'
import { DotTokens, isWord, type Token } from './dot-tokens.ts'
import { Describer, type Pending, type Values } from './dot-values.ts'

/** The maximum nesting depth of subgraphs. */
const MAX_DEPTH = 100

/** The default attributes of new nodes or edges, and their size in characters. Scopes share them until they change. */
interface Defaults {
  values: Values
  weight: number
}

interface Scope {
  node: Defaults
  edge: Defaults
  /** The members of the current subgraph; undefined at the top level. */
  members: Members | undefined
}

interface Operand {
  /** The name of a node, or the members of a subgraph. */
  nodes: string | Members
  port: string | undefined
}

/** The edges that a statement defines between two lists of operands. */
interface Between extends Pick<Mentioned, 'defaults' | 'known'> {
  values: Values
  /** Whether each list has only one operand. */
  isOne: boolean
}

/** The edges that a statement defines between two of its operands. */
interface Mentioned {
  /** The attributes specified by the statement. */
  own: Values
  defaults: Defaults
  /** The number of characters that each new edge repeats. */
  weight: number
  /** The values of new edges: the statement's own values and the defaults. Created with the first new edge. */
  ofNew: Values | undefined
  /** Existing edges that the statement may repeat, keyed by a number that encodes their endpoints. */
  known: Map<number, Pending<Edge>> | undefined
  /** Maps the old values of repeated edges to their new values. */
  merged: Map<Values, Values> | undefined
}

const NONE: Values = new Map()

/**
 * The maximum number of edges that a strict graph may define, counting repetitions, as a multiple of the maximum numbers of nodes
 * and edges.
 */
const MENTIONS = 2

/** Reads a graph in the DOT language. */
export class DotReader {
  readonly #into: GraphBuilder
  readonly #tokens: DotTokens
  readonly #nodes = new Map<string, Pending<Node>>()
  readonly #edges: Pending<Edge>[] = []
  /**
   * Edges that a later statement may repeat: all edges of a strict graph, and edges with a key. Maps the key, and then a number
   * that encodes the endpoints, to the edge.
   */
  readonly #known = new Map<string, Map<number, Pending<Edge>>>()
  readonly #numbers = new Map<string, number>()
  /** The number of edges that subgraphs define, plus the steps taken to list the subgraphs' nodes. */
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
    if (after.kind !== 'end') throw new Unreadable(after.at, 'malformed-dot', 'comes after the end of the graph')
    new Describer(this.#into, {
      name: this.#name,
      isDirected: this.#isDirected,
      nodes: this.#nodes.values(),
      edges: this.#edges,
      graphValues: this.#graphValues
    }).describe()
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
        first.kind === 'end' ? 'is the end of the file, but a closing } is missing' : 'is not valid DOT'
      )
    }
    if (first.kind === 'id' && this.#graphAttribute(scope)) return
    const operands = [this.#operands(scope)]
    while (this.#edgeOperator()) operands.push(this.#operands(scope))
    const { kind, text } = tokens.peek()
    const values: Values = kind === 'punctuation' && text === '[' ? this.#attributes() : NONE
    if (operands.length > 1) return this.#addEdges(operands, values, scope, first.at)
    const [listed] = operands as [Operand[]]
    if (listed.length > 1) this.#into.repeat(weightOfAll(values) * listed.length, first.at)
    for (const { nodes } of listed) {
      // DOT allows attributes after a subgraph but does not define their meaning.
      if (typeof nodes === 'string' && values.size > 0) this.#give(this.#nodes.get(nodes), values)
    }
  }

  /** Adds values to a node or edge. */
  #give<T>(pending: Pending<T> | undefined, more: Values) {
    if (!pending) return
    pending.own ??= new Map(pending.values)
    for (const [name, value] of more) pending.own.set(name, value)
    pending.values = pending.own
  }

  /** Reads `name = value` if that comes next. */
  #graphAttribute(scope: Scope): boolean {
    const tokens = this.#tokens
    if (!tokens.isBeforeEquals()) return false
    const name = tokens.take()
    tokens.expect('=')
    const value = this.#id()
    if (!scope.members) this.#graphValues.set(name.text, value)
    return true
  }

  /** Reads a subgraph, or nodes separated by commas. */
  #operands(scope: Scope): Operand[] {
    const operands = [this.#operand(scope)]
    if (typeof operands[0]?.nodes !== 'string') return operands
    while (this.#tokens.skip(',')) operands.push(this.#node(scope))
    return operands
  }

  /** Reads a node or a subgraph. */
  #operand(scope: Scope): Operand {
    const tokens = this.#tokens
    const first = tokens.peek()
    if (isWord(first, 'subgraph') || (first.kind === 'punctuation' && first.text === '{')) {
      return { nodes: this.#subgraph(scope), port: undefined }
    }
    return this.#node(scope)
  }

  #node(scope: Scope): Operand {
    const tokens = this.#tokens
    const first = tokens.peek()
    if (first.kind !== 'id') throw new Unreadable(first.at, 'malformed-dot', 'is not valid DOT: expected a node')
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
        `is ${text} in a ${this.#isDirected ? 'digraph, which uses ->' : 'graph, which uses --'}`
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
    this.#into.repeat(scope.node.weight, at)
    this.#numbers.set(id, this.#nodes.size)
    this.#nodes.set(id, { element: this.#into.addNode(id, at), values: scope.node.values })
  }

  #addEdges(operands: Operand[][], values: Values, scope: Scope, at: number) {
    const known = this.#knownBy(values)
    for (const [index, heads] of operands.slice(1).entries()) {
      const tails = operands[index] as Operand[]
      const pairs = tails.length * heads.length
      this.#expect(pairs, known !== undefined, at)
      const between = { values, defaults: scope.edge, known, isOne: pairs === 1 }
      for (const tail of tails) for (const head of heads) this.#addBetween(tail, head, between, at)
    }
  }

  #addBetween(tail: Operand, head: Operand, { values, defaults, known, isOne }: Between, at: number) {
    const own = withPorts(tail, head, values, at)
    const ofNew = own.size === 0 ? defaults.values : defaults.values.size === 0 ? own : undefined
    const [sources, targets] = [this.#nodesOf(tail, at), this.#nodesOf(head, at)]
    const count = sources.length * targets.length
    // A single edge repeats nothing, since the file contains its values only once.
    const weight = defaults.weight + (isOne && count === 1 ? 0 : weightOfAll(own))
    const edges: Mentioned = { own, defaults, weight, ofNew, known, merged: undefined }
    this.#expect(count, known !== undefined, at)
    for (const source of sources) for (const target of targets) this.#edge(source, target, edges, at)
  }

  /** Returns the existing edges that a statement with these values may repeat. */
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

  /** Throws if this many additional edges would exceed the limit. */
  #expect(count: number, mayBeKnown: boolean, at: number) {
    if (!mayBeKnown) this.#into.expectEdges(count, at)
    else if (count > 1) this.#count(count, at)
  }

  #count(effort: number, at: number) {
    const { maxNodes, maxEdges } = this.#into.limits
    this.#mentions += effort
    this.#into.work(effort)
    if (this.#mentions <= MENTIONS * (maxNodes + maxEdges)) return
    throw new Unreadable(at, 'too-many-edges', 'defines too many edges between subgraphs, counting repetitions')
  }

  /** Adds an edge. If the edge already exists, adds the values to it instead. */
  #edge(source: string, target: string, mentioned: Mentioned, at: number) {
    const { own, defaults, known } = mentioned
    let identity = 0
    if (known) {
      const [from, to] = [this.#numbers.get(source) as number, this.#numbers.get(target) as number]
      identity = this.#isDirected || from < to ? from * 2 ** 26 + to : to * 2 ** 26 + from
      const edge = known.get(identity)
      if (edge) {
        this.#into.losses.add('edge-merged')
        if (own.size === 0) return
        // Edges that shared their old values also share the merged values.
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
    this.#into.repeat(mentioned.weight, at)
    mentioned.ofNew ??= new Map([...defaults.values, ...own])
    const pending = { element: this.#into.addEdge(source, target, at), values: mentioned.ofNew }
    this.#edges.push(pending)
    known?.set(identity, pending)
  }

  /** Returns a copy of the defaults with additional values. Other scopes may share the original. */
  #changed({ values, weight }: Defaults, more: Values, at: number): Defaults {
    this.#into.repeat(weight, at)
    const changed = new Map(values)
    let change = 0
    for (const [name, value] of more) {
      const before = changed.get(name)
      change += weightOf(name, value) - (before ? weightOf(name, before) : 0)
      changed.set(name, value)
    }
    return { values: changed, weight: weight + change }
  }

  #attributes(): Values {
    const tokens = this.#tokens
    const values = new Map<string, Token>()
    const { at } = tokens.peek()
    if (!tokens.skip('[')) throw new Unreadable(at, 'malformed-dot', 'is not valid DOT: expected [')
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
      token.kind === 'end' ? 'is an unexpected end of the file' : 'is not valid DOT: expected a name or value'
    )
  }
}

function textToken(text: string, at: number): Token {
  return { kind: 'id', form: 'quoted', text, at }
}

/** The fixed cost of an attribute, in characters. */
const OVERHEAD = 8

function weightOfAll(values: Values) {
  let weight = 0
  for (const [name, value] of values) weight += weightOf(name, value)
  return weight
}

function weightOf(name: string, { text }: Token) {
  return name.length + text.length + OVERHEAD
}

/** Adds the ports of both endpoints to the values of a statement. */
function withPorts(tail: Operand, head: Operand, values: Values, at: number): Values {
  if (tail.port === undefined && head.port === undefined) return values
  const all = new Map<string, Token>()
  if (tail.port !== undefined && !values.has('tailport')) all.set('tailport', textToken(tail.port, at))
  if (head.port !== undefined && !values.has('headport')) all.set('headport', textToken(head.port, at))
  for (const [name, value] of values) all.set(name, value)
  return all
}
