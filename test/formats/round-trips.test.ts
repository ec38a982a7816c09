import fc from 'fast-check'
import t from 'tap'
import { contentChecker } from '../../graph/content/content.ts'
import { formats, writableFormats } from '../../graph/formats/index.ts'
import { isNotFinite } from '../../graph/formats/shared/attributes.ts'
import type { WritableFormat } from '../../graph/formats/shared/format.ts'
import { GraphBuilder } from '../../graph/formats/shared/graph-builder.ts'
import { type LossCode, Losses } from '../../graph/formats/shared/losses.ts'
import type { Edge, GraphContent, Node } from '../../schemas/graph-content.ts'

/** A multiplier for the number of random graphs; `test/long/random.test.ts` raises it. */
const RUNS = Number(process.env.RUNS ?? 1)

const limits = { maxNodes: 1000, maxEdges: 1000, bodyLimit: 1024 * 1024 }
const check = contentChecker(limits)

/** Strings with a special meaning in some format or language. */
// biome-ignore format: packed lines
const awkward = [
  '', ' ', ' before', 'after ', 'a b', 'a\nb', 'a\r\nb', 'a\rb', '\t', 'tab\tbed', '\n', 'x\u0000y', '\u0001', '\u000b',
  '\ufffe', '\u0085',
  '"', 'a"b', '""', "'", "it's", '\\', 'a\\', '\\\\', '\\"', 'a\\"b\\', '\\N', '\\n', 'C:\\new', '`', '$x', '\\\n',
  'a\\\r\n',
  '<', '>', '<b>bold</b>', '&', '&amp;', '&#233;', '&#0;', '&eacute;', ']]>', '<![CDATA[', '<!--', '-->', '<?xml',
  '<!DOCTYPE x>',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', '0', '1', '-1', '007', '1.50', '1e5',
  '-0', 'NaN',
  'true', 'false', 'null', 'undefined', '{"a":1}', '[1,2]', '"quoted"', 'INF', '+5', '=1+1', '+a', '-a', '@x', "'=1",
  "''=1", '\t=x',
  'id', 'label', 'source', 'target', 'Source', 'TYPE', 'directed', 'relation', 'interaction', 'name', 'weight', 'x',
  'y', 'z', 'pos',
  'metadata', 'metadata.x', 'metadata.metadata.x', 'graphics', 'node', 'edge', 'graph', 'digraph', 'strict', 'subgraph',
  'dir', 'key',
  'color', 'size', 'parent', 'kind', 'graphsteadId', 'graphsteadIds', 'htmlLabel', 'creator', 'shape', 'ic', 'l',
  'none', 'both',
  '*Vertices', '%', '#', '# no', '//', '/*', ';', ',', '|', ':', 'a:b', '->', '--', '+', '[1-3]', '{', '}', '(',
  '_x0020_', 'x_x0041_', 'x_x_',
  '日本語', 'Ünïcödé', 'é', 'e\u0301', '🜁', '👩‍👩‍👧', 'שלום', '\u202e', '\ufeff', '\ufeffbom', '\u2028', 'İ', 'ß',
  'x'.repeat(255)
]
const text = fc
  .oneof(
    fc.constantFrom(...awkward),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 })
  )
  .filter((value) => value.isWellFormed())
const id = text.filter((value) => value !== '' && [...value].length <= 255)
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.constantFrom(0, 1, -1, 1.5, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 1e21, 1.5e300, 5e-324, 1e-7, 0.1)
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: fc.boolean() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, [], {}, [1, 'a'], ['b'], { a: { b: 1 } }, { x: 1, y: 2 }, [{ q: true }], '#ff00aa')
  }
)
const metadata = fc.dictionary(fc.oneof(text, fc.constantFrom('weight', 'color', 'size', 'name', 'x')), value, {
  maxKeys: 4
})
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const label = text.filter((value) => value.length <= 1024)

const content: fc.Arbitrary<GraphContent> = fc
  .uniqueArray(fc.oneof(id, fc.nat({ max: 20 }).map(String)), { maxLength: 5 })
  .chain((ids) =>
    fc.record({
      directed: fc.boolean(),
      label: maybe(label),
      metadata: maybe(metadata),
      nodes: fc.tuple(
        ...ids.map((id) =>
          fc.record({
            id: fc.constant(id),
            label: maybe(label),
            x: maybe(number),
            y: maybe(number),
            z: maybe(number),
            metadata: maybe(metadata)
          })
        )
      ),
      edges:
        ids.length === 0
          ? fc.constant([])
          : fc.uniqueArray(
              fc.record({
                id: maybe(id),
                source: fc.constantFrom(...ids),
                target: fc.constantFrom(...ids),
                directed: maybe(fc.boolean()),
                relation: maybe(text.filter((value) => [...value].length <= 255)),
                label: maybe(label),
                metadata: maybe(metadata)
              }),
              { maxLength: 6, selector: ({ id }) => id ?? {} }
            )
    })
  )
  // As the store would return it.
  .map((graph) => JSON.parse(JSON.stringify(graph)) as GraphContent)

/** A comparison of a graph with its copy that allows for reported losses. */
class Comparison {
  readonly #losses: Map<LossCode, number>
  readonly seen = new Map<LossCode, number>()
  readonly differences: string[] = []

  constructor(losses: Losses) {
    this.#losses = new Map(losses.list.map(({ code, count }) => [code, count]))
  }

  has(code: LossCode) {
    return this.#losses.has(code)
  }

  /** Adds a difference that one of these losses must explain. */
  differs(what: string, before: unknown, after: unknown, ...codes: LossCode[]) {
    const code = codes.find((candidate) => this.has(candidate))
    if (code) this.seen.set(code, (this.seen.get(code) ?? 0) + 1)
    else this.differences.push(`${what}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`)
  }

  compare(before: GraphContent, after: GraphContent) {
    const was = this.#expected(before)
    this.#member('label', was, after, 'graph-attributes-dropped')
    this.#metadata('graph', was.metadata, after.metadata, 'graph-attributes-dropped')
    if (was.nodes.length !== after.nodes.length) return this.differences.push('nodes are missing')
    if (was.edges.length !== after.edges.length) return this.differences.push('edges are missing')
    const isDirected = (edge: Edge, graph: GraphContent) => edge.directed ?? graph.directed ?? true
    if (was.edges.length === 0 && was.directed !== after.directed)
      this.differs('directed', was.directed, after.directed, 'graph-attributes-dropped')
    const ids = new Map<string, string>()
    for (const [index, node] of was.nodes.entries()) {
      const now = after.nodes[index] as Node
      ids.set(node.id, now.id)
      if (node.id !== now.id) this.differs('id', node.id, now.id, 'id-replaced')
      this.#member('label', node, now, 'label-dropped')
      for (const axis of ['x', 'y', 'z'] as const)
        if (node[axis] !== now[axis]) this.differs(axis, node[axis], now[axis], 'position-dropped')
      this.#metadata('node', node.metadata, now.metadata, 'attributes-dropped')
    }
    for (const [index, edge] of was.edges.entries()) {
      const now = after.edges[index] as Edge
      if (ids.get(edge.source) !== now.source) this.differs('source', edge.source, now.source)
      if (ids.get(edge.target) !== now.target) this.differs('target', edge.target, now.target)
      if (isDirected(edge, was) !== isDirected(now, after)) this.differs('directed', edge, now)
      if (edge.id !== now.id)
        this.differs(
          'edge id',
          edge.id,
          now.id,
          now.id === undefined ? 'edge-id-dropped' : 'id-replaced',
          ...textLosses(edge.id ?? '')
        )
      this.#member('relation', edge, now, 'relation-dropped')
      this.#member('label', edge, now, 'label-dropped')
      this.#metadata('edge', edge.metadata, now.metadata, 'attributes-dropped')
    }
  }

  /** Returns the graph without the parts reported as dropped. */
  #expected(before: GraphContent): GraphContent {
    let { nodes, edges, directed = true } = before
    if (this.has('edge-per-direction')) {
      edges = edges.flatMap((edge) => {
        if (edge.directed ?? directed) return [{ ...edge, directed: true }]
        const { id: _, ...reverse } = { ...edge, source: edge.target, target: edge.source, directed: true }
        this.seen.set('edge-per-direction', (this.seen.get('edge-per-direction') ?? 0) + 1)
        return [{ ...edge, directed: true }, reverse]
      })
    }
    const order = [...new Set(edges.flatMap(({ source, target }) => [source, target]))]
    if (this.has('isolated-node-dropped')) {
      this.seen.set('isolated-node-dropped', nodes.length - order.length)
      nodes = nodes.filter((node) => order.includes(node.id))
    }
    if (this.has('node-order-changed')) nodes = nodes.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    return { ...before, directed, nodes, edges }
  }

  #member<K extends string>(
    name: K,
    before: { [key in K]?: string },
    after: { [key in K]?: string },
    dropped: LossCode
  ) {
    const [was, is] = [before[name], after[name]]
    if (was === is) return
    if (is === undefined && was === '') this.differs(name, was, is, 'empty-text-dropped', dropped)
    else if (is === undefined) this.differs(name, was, is, dropped)
    else this.differs(name, was, is, ...textLosses(String(was)))
  }

  #metadata(
    what: string,
    before: Record<string, unknown> = {},
    after: Record<string, unknown> = {},
    dropped: LossCode
  ) {
    // Two names may become identical if the format cannot represent their characters.
    const unnamed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
    for (const key of Object.keys(after)) {
      if (
        !Object.hasOwn(before, key) &&
        !(this.has('characters-replaced') && key.includes('\ufffd')) &&
        !(this.has('text-changed') && key.includes('\\'))
      ) {
        this.differs(`${what} ${key}`, undefined, after[key])
      }
    }
    for (const key of unnamed) {
      const codes: LossCode[] = [
        ...(before[key] === '' ? (['empty-text-dropped'] as const) : []),
        ...(typeof before[key] === 'string' && isNotFinite(before[key]) ? (['null-dropped'] as const) : []),
        dropped,
        ...textLosses(key)
      ]
      this.differs(`${what} ${key}`, before[key], undefined, ...codes)
    }
    for (const [key, was] of Object.entries(before)) {
      if (!Object.hasOwn(after, key)) continue
      const is = after[key]
      if (JSON.stringify(was) === JSON.stringify(is)) continue
      if (typeof was === 'object') {
        if (is === JSON.stringify(was)) this.differs(key, was, is, 'nested-metadata', 'list-as-text')
        else this.#nested(key, was, is)
      } else if (typeof was === 'string' && typeof is === 'string') this.differs(key, was, is, ...textLosses(was))
      else if (String(was) === String(is) || Number(was) === is || was === Number(is))
        this.differs(key, was, is, 'type-widened', 'type-changed')
      else this.differs(key, was, is)
    }
  }

  /** Compares nested values. Booleans may become numbers, even in lists that the format can hold. */
  #nested(what: string, was: unknown, is: unknown) {
    if (typeof was === 'boolean' && is === Number(was)) return this.differs(what, was, is, 'type-changed')
    if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) {
      if (was !== is) this.differs(what, was, is)
      return
    }
    const [a, b] = [was as Record<string, unknown>, is as Record<string, unknown>]
    if (Object.keys(a).sort().join() !== Object.keys(b).sort().join()) return this.differs(what, was, is)
    for (const key in a) this.#nested(what, a[key], b[key])
  }
}

function textLosses(text: string): LossCode[] {
  return [
    ...(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) ? (['characters-replaced'] as const) : []),
    ...(/\\/.test(text) ? (['text-changed'] as const) : [])
  ]
}

/**
 * The losses whose count equals the number of differences. Other losses cause one difference, or none when this program reads
 * the file.
 */
const counted: LossCode[][] = [
  // An empty value may be reported as dropped for either reason.
  ['attributes-dropped', 'label-dropped', 'relation-dropped', 'graph-attributes-dropped', 'empty-text-dropped'],
  ['edge-id-dropped'],
  ['edge-per-direction'],
  ['isolated-node-dropped'],
  ['nested-metadata', 'list-as-text']
]

function roundTrip(format: WritableFormat, graph: GraphContent) {
  const losses = new Losses()
  const pieces = [...format.write({ name: 'a name', type: 'a type', content: graph }, losses)]
  const file = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))
  const into = new GraphBuilder(limits)
  try {
    format.read(file, into)
  } catch (error) {
    throw new Error(`${(error as Error).message}: ${file}`)
  }
  const { faults } = check(into.content)
  const all = into.locatedFaults(faults)
  if (all.length > 0) throw new Error(`${JSON.stringify(all)}: ${file}`)
  return { file, losses, into }
}

for (const format of writableFormats) {
  t.test(`${format.title}: exports round-trip unchanged, or their losses are reported`, async (t) => {
    fc.assert(
      fc.property(content, (graph) => {
        const { file, losses, into } = roundTrip(format, graph)
        const comparison = new Comparison(losses)
        comparison.compare(graph, into.content)
        if (comparison.differences.length > 0)
          throw new Error(`${comparison.differences.join('\n')}\n${file}\n${JSON.stringify(losses.list)}`)
        for (const codes of counted) {
          const told = losses.list.filter(({ code }) => codes.includes(code)).reduce((sum, { count }) => sum + count, 0)
          const seen = codes.reduce((sum, code) => sum + (comparison.seen.get(code) ?? 0), 0)
          // A value cannot be found again if the format cannot hold its name.
          const isLost = comparison.has('characters-replaced') || comparison.has('text-changed')
          // An edge split in two is reported once but found twice.
          const isTwice = comparison.has('edge-per-direction')
          if ((seen > told && !isTwice) || (seen < told && !isLost)) {
            throw new Error(`${codes} is reported ${told} times and seen ${seen} times\n${file}`)
          }
        }
        const text = file.toString()
        if (!format.recognises(text)) throw new Error(`is not recognised: ${file}`)
        const first = formats.find((candidate) => candidate.recognises(text))
        if (first !== format) throw new Error(`is recognised as ${first?.name}: ${file}`)
      }),
      { numRuns: 200 * RUNS, seed: 3 }
    )
    t.pass()
  })
}
