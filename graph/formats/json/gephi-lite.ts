import { isRecord } from '../../content/json.ts'
import type { Vocabulary } from '../shared/attributes.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { idOf, records } from '../shared/json-file.ts'
import { type Json, jsonKind, nameIn } from '../shared/json-kind.ts'

const vocabulary: Vocabulary = { nameOf: (name) => name }

/**
 * A workspace of Gephi Lite: a graphology graph, and the attributes and positions of its nodes and edges by key.
 * https://github.com/gephi/gephi-lite
 */
export const gephiLite = jsonKind({
  name: 'gephi-lite',
  title: 'Gephi Lite workspace',
  endings: ['.gephi-lite.json', '.json'],
  members: ['graphDataset'],
  read
})

const GRAPH = '#/graphDataset/fullGraph'

function read({ version, graphDataset: data, appearance, filters }: Json, into: GraphBuilder) {
  const graph = isRecord(data) ? data.fullGraph : undefined
  if (!isRecord(data) || !isRecord(graph)) {
    throw new Unreadable('#/graphDataset', 'wrong-type', 'must have fullGraph: this is not a Gephi Lite workspace')
  }
  // Positions are in `layout` since version 1.
  const { metadata, nodeData, nodeRenderingData, layout, edgeData, edgeRenderingData } = data
  if (typeof version === 'string') into.version = version
  const { title, ...rest } = recordOf(metadata)
  into.name = nameIn(title)
  into.describe(Object.entries(rest))
  into.directed = recordOf(graph.options).type !== 'undirected'
  into.placeOf = (kind, index) => `${GRAPH}/${kind}/${index}`
  for (const [index, { key, attributes }] of records(graph.nodes, `${GRAPH}/nodes`, into)) {
    const place = { ...ofKey(nodeRenderingData, key), ...ofKey(layout, key) }
    const all = { ...place, ...recordOf(attributes), ...ofKey(nodeData, key) }
    into.addNode(idOf(key, into) as string, index, Object.entries(all), vocabulary)
  }
  for (const [index, { key, source, target, undirected, attributes }] of records(graph.edges, `${GRAPH}/edges`, into)) {
    const all = { ...ofKey(edgeRenderingData, key), ...recordOf(attributes), ...ofKey(edgeData, key) }
    const ends = [idOf(source, into), idOf(target, into)] as [string, string]
    const edge = into.addEdge(...ends, index, Object.entries(all), vocabulary)
    if (key !== undefined) edge.id = idOf(key, into) as string
    if (into.directed && undirected === true) edge.directed = false
  }
  into.losses.add('visual-dropped', [appearance, filters].filter((part) => part !== undefined).length)
}

/** Returns the attributes of the element with this key. */
function ofKey(attributes: unknown, key: unknown): Json {
  return isRecord(attributes) && Object.hasOwn(attributes, String(key)) ? recordOf(attributes[String(key)]) : {}
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {}
}
