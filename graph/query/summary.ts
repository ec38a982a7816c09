import type { GraphContent } from '../../schemas/graph-content.ts'
import type { AttributeSummary, attributeTypes, GraphSummary } from '../../schemas/graph-part.ts'
import { at, type Links, linksOf } from '../content/edges.ts'

/** The maximum number of attributes to summarize, for nodes and for edges. */
const ATTRIBUTES = 200

/**
 * An attribute's values are listed only if it has at most this many distinct values, none longer than this many UTF-16 units.
 */
const DIFFERENT = 100
const LONGEST = 255

/** The maximum number of values to list. */
const LISTED = 20

/** Returns the summary of the content. */
export function summaryOf(content: GraphContent): GraphSummary {
  const { nodes, edges } = content
  const { links } = linksOf(content)
  return {
    nodeCount: nodes.length,
    edgeCount: edges.length,
    components: componentsOf(links),
    degree: degreesOf(links),
    attributes: {
      nodes: attributesOf(nodes, ['label', 'x', 'y', 'z']),
      edges: attributesOf(edges, ['id', 'directed', 'relation', 'label'])
    }
  }
}

function componentsOf({ nodeCount, edgeCount, sources, targets }: Links): GraphSummary['components'] {
  // A disjoint-set forest: following the parents of any node leads to the root of its set.
  const parents = Uint32Array.from({ length: nodeCount }, (_, node) => node)
  const sizes = new Uint32Array(nodeCount).fill(1)
  const rootOf = (node: number) => {
    let root = node
    while (at(parents, root) !== root) {
      parents[root] = at(parents, at(parents, root))
      root = at(parents, root)
    }
    return root
  }
  let count = nodeCount
  let largest = nodeCount > 0 ? 1 : 0
  for (let edge = 0; edge < edgeCount; edge++) {
    const [a, b] = [rootOf(at(sources, edge)), rootOf(at(targets, edge))]
    if (a === b) continue
    const [small, large] = at(sizes, a) < at(sizes, b) ? [a, b] : [b, a]
    parents[small] = large
    sizes[large] = at(sizes, small) + at(sizes, large)
    largest = Math.max(largest, at(sizes, large))
    count--
  }
  return { count, largest }
}

function degreesOf({ nodeCount, edgeCount, sources, targets }: Links): GraphSummary['degree'] {
  if (nodeCount === 0) return { min: 0, median: 0, p90: 0, max: 0, mean: 0 }
  const degrees = new Uint32Array(nodeCount)
  for (const ends of [sources, targets]) {
    for (const node of ends) degrees[node] = at(degrees, node) + 1
  }
  degrees.sort()
  const half = nodeCount >>> 1
  const median = nodeCount % 2 === 1 ? at(degrees, half) : (at(degrees, half - 1) + at(degrees, half)) / 2
  return {
    min: at(degrees, 0),
    median,
    p90: at(degrees, Math.ceil(0.9 * nodeCount) - 1),
    max: at(degrees, nodeCount - 1),
    mean: (2 * edgeCount) / nodeCount
  }
}

/** Counts the values of one attribute. */
class Attribute {
  readonly #name: string
  #type: (typeof attributeTypes)[number] | undefined
  #count = 0
  /** The counts by value; undefined if the values are not listed. */
  #values: Map<unknown, number> | undefined = new Map()

  constructor(name: string) {
    this.#name = name
  }

  add(value: unknown) {
    this.#count++
    const type = typeOf(value)
    this.#type = this.#type === undefined || this.#type === type ? type : 'mixed'
    const isListed = type === 'string' ? (value as string).length <= LONGEST : type === 'number' || type === 'boolean'
    if (isListed) this.#values?.set(value, (this.#values.get(value) ?? 0) + 1)
    if (!isListed || (this.#values && this.#values.size > DIFFERENT)) this.#values = undefined
  }

  get summary(): AttributeSummary {
    const values = this.#values && [...this.#values].sort(([, a], [, b]) => b - a).slice(0, LISTED)
    return {
      name: this.#name,
      type: this.#type ?? 'null',
      count: this.#count,
      ...(values && { values: values.map(([value, count]) => ({ value, count })) })
    }
  }
}

function typeOf(value: unknown): (typeof attributeTypes)[number] {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as 'string' | 'number' | 'boolean' | 'object')
}

/** Summarises the attributes of the elements: the given fields, and every metadata key. */
function attributesOf(
  elements: readonly { metadata?: Record<string, unknown> }[],
  fields: readonly string[]
): AttributeSummary[] {
  const ofFields = new Map<string, Attribute>()
  const ofMetadata = new Map<string, Attribute>()
  const add = (attributes: Map<string, Attribute>, key: string, name: string, value: unknown) => {
    let attribute = attributes.get(key)
    if (!attribute) {
      if (ofFields.size + ofMetadata.size >= ATTRIBUTES) return
      attribute = new Attribute(name)
      attributes.set(key, attribute)
    }
    attribute.add(value)
  }
  for (const element of elements) {
    for (const field of fields) {
      const value = (element as Record<string, unknown>)[field]
      if (value !== undefined) add(ofFields, field, field, value)
    }
    for (const [key, value] of Object.entries(element.metadata ?? {})) {
      add(ofMetadata, key, fields.includes(key) ? `metadata.${key}` : key, value)
    }
  }
  const inOrder = fields.flatMap((field) => ofFields.get(field) ?? [])
  return [...inOrder, ...ofMetadata.values()].map(({ summary }) => summary)
}
