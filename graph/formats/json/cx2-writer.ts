import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { toJson } from '../../content/json.ts'
import {
  asText,
  type Column,
  Columns,
  edgeAttributes,
  graphAttributes,
  nodeAttributes,
  put,
  type Vocabulary
} from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import { areIntegers, ORIGINAL_IDS } from '../shared/ids.ts'
import { jsonArray } from '../shared/json-file.ts'
import type { Losses } from '../shared/losses.ts'
import { styleAspects } from './cx2-style-writer.ts'

// Ids in CX2 are integers. This attribute stores the original ids.
export const ID = 'graphsteadId'
export const nodes: Vocabulary = { label: 'name', position: false, taken: new Set([ID.toLowerCase()]) }
export const edges: Vocabulary = {
  label: 'name',
  relation: 'interaction',
  directed: true,
  taken: new Set([ID.toLowerCase()])
}
export const graph: Vocabulary = { taken: new Set(['name', 'type', 'directed', ORIGINAL_IDS.toLowerCase()]) }

/** Writes the graph as CX2 and counts the losses. */
export function writeCx2({ name, type, content }: GraphToWrite, losses: Losses) {
  const hasIntegers = areIntegers(content.nodes.map(({ id }) => id))
  const idOf = new Map(content.nodes.map(({ id }, index) => [id, hasIntegers ? Number(id) : index]))
  if (!hasIntegers) losses.add('id-replaced', content.nodes.length)
  const hasEdgeIntegers = areIntegers(content.edges.map(({ id }) => id))
  if (!hasEdgeIntegers) losses.add('id-replaced', content.edges.filter(({ id }) => id !== undefined).length)
  const keepsIds = !hasIntegers || !hasEdgeIntegers

  const nodeValues = function* (node: Node, counted?: Losses): Generator<[string, unknown]> {
    if (!hasIntegers) yield [ID, node.id]
    yield* nodeAttributes(node, nodes, counted)
  }
  const edgeValues = function* (edge: Edge, counted?: Losses): Generator<[string, unknown]> {
    if (keepsIds && edge.id !== undefined) yield [ID, edge.id]
    yield* edgeAttributes(edge, edges, counted)
  }
  const graphValues: [string, unknown][] = [
    ['name', name],
    ...(type === undefined ? [] : ([['type', type]] as [string, unknown][])),
    ['directed', content.directed ?? true],
    ...(!keepsIds ? [] : ([[ORIGINAL_IDS, true]] as [string, unknown][])),
    ...graphAttributes(content, graph, losses)
  ]
  const ofNodes = columnsOf(content.nodes, nodeValues, losses)
  const ofEdges = columnsOf(content.edges, edgeValues, losses)
  const ofGraph = columnsOf([content], () => graphValues, losses)

  const nodeId = (index: number) => idOf.get(content.nodes[index]?.id as string)
  const edgeId = (index: number) => (hasEdgeIntegers ? Number(content.edges[index]?.id) : index)
  const styles = styleAspects(content, nodeId, edgeId)

  return (function* () {
    const visual = Object.fromEntries(styles.map(([name, items]) => [name, items.length]))
    const counts = { networkAttributes: 1, nodes: content.nodes.length, edges: content.edges.length }
    const metaData = Object.entries({ attributeDeclarations: 1, ...counts, ...visual })
    yield '[{"CXVersion":"2.0","hasFragments":false},\n'
    yield `${toJson({ metaData: metaData.map(([name, elementCount]) => ({ name, elementCount })) })},\n`
    const declarations = { networkAttributes: declare(ofGraph), nodes: declare(ofNodes), edges: declare(ofEdges) }
    yield `${toJson({ attributeDeclarations: [declarations] })},\n`
    yield `${toJson({ networkAttributes: [encode(graphValues, ofGraph)] })},\n{"nodes":`
    yield* jsonArray(content.nodes, (node) => {
      const { id, x, y, z } = node
      return { id: idOf.get(id), x, y, z, v: encode(nodeValues(node), ofNodes) }
    })
    yield '},\n{"edges":'
    yield* jsonArray(content.edges, (edge, index) => ({
      id: edgeId(index),
      s: idOf.get(edge.source),
      t: idOf.get(edge.target),
      v: encode(edgeValues(edge), ofEdges)
    }))
    yield '},\n'
    for (const [name, items] of styles) {
      yield `{"${name}":`
      yield* jsonArray(items, (item) => item)
      yield '},\n'
    }
    yield '{"status":[{"success":true}]}]\n'
  })()
}

function columnsOf<T>(
  elements: T[],
  attributes: (element: T, losses?: Losses) => Iterable<[string, unknown]>,
  losses: Losses
) {
  const columns = new Columns()
  for (const element of elements) columns.add(attributes(element, losses))
  const types = columns.types(losses, () => true)
  for (const { notFinite } of types.values()) losses.add('null-dropped', notFinite)
  return types
}

/** Returns the attribute declarations. `d` is the data type. */
function declare(columns: Map<string, Column>) {
  const declarations: Record<string, unknown> = {}
  for (const [name, { type, isList, largest }] of columns) {
    const d = type === 'integer' && largest > 0x7fffffff ? 'long' : type
    put(declarations, name, { d: isList ? `list_of_${d}` : d })
  }
  return declarations
}

function encode(attributes: Iterable<[string, unknown]>, columns: Map<string, Column>) {
  const values: Record<string, unknown> = {}
  for (const [name, value] of attributes) {
    const { type, isList } = columns.get(name) as Column
    if (isList) put(values, name, value)
    else if (type === 'string') put(values, name, asText(value))
    // JSON has neither NaN nor infinity, which are written as text here.
    else if (typeof value !== 'string') put(values, name, value)
  }
  return values
}
