import { isRecord } from '../../content/json.ts'
import type { Vocabulary } from '../shared/attributes.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'
import { expectFew, idOf, records } from '../shared/json-file.ts'
import { type Json, jsonKind, nameIn } from '../shared/json-kind.ts'

const vocabulary: Vocabulary = { nameOf: (name) => name }

/**
 * JSON with a list of neighbours for each node, as written by networkx (adjacency_data).
 * https://networkx.org/documentation/stable/reference/readwrite/json_graph.html
 */
export const adjacency = jsonKind({
  name: 'adjacency',
  title: 'adjacency JSON',
  endings: ['.adjacency.json', '.json'],
  members: ['nodes', 'adjacency'],
  read
})

function read({ directed, graph, nodes, adjacency }: Json, into: GraphBuilder) {
  readHead(directed, graph, into)
  into.placeOf = (kind, index) => `#/${kind === 'nodes' ? 'nodes' : 'adjacency'}/${index}`
  expectFew(nodes, 'nodes', '#/nodes', into)
  const ids: unknown[] = []
  for (const [index, { id, ...rest }] of records(nodes, '#/nodes', into)) {
    ids[index] = idOf(id, into)
    into.addNode(ids[index] as string, index, Object.entries(rest), vocabulary)
  }
  if (!Array.isArray(adjacency)) return into.refuse('#/adjacency', 'wrong-type', 'must be an array')
  const seen = new Set<string>()
  /** A number for each id, because ids may be long. */
  const numbers = new Map<string, number>()
  const numberOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size
    numbers.set(id, number)
    return number
  }
  for (const [index, neighbours] of adjacency.entries()) {
    const source = ids[index] as string
    for (const [, { id, ...rest }] of records(neighbours, `#/adjacency/${index}`, into)) {
      const target = idOf(id, into) as string
      if (!into.directed) {
        // An undirected edge is in the lists of both its nodes.
        const [one, other] = [numberOf(source), numberOf(target)]
        const edge = JSON.stringify([Math.min(one, other), Math.max(one, other), rest.key])
        if (seen.has(edge)) continue
        seen.add(edge)
      }
      into.addEdge(source, target, index, Object.entries(rest), vocabulary)
    }
  }
}

/** Reads the direction and the attributes of the graph, which networkx writes as pairs. */
function readHead(directed: unknown, graph: unknown, into: GraphBuilder) {
  into.directed = directed === true
  if (directed === undefined) into.losses.add('direction-assumed')
  else if (typeof directed !== 'boolean') into.refuse('#/directed', 'wrong-type', 'must be a boolean')
  const pairs = Array.isArray(graph) ? graph.filter((pair) => Array.isArray(pair) && typeof pair[0] === 'string') : []
  const attributes = (isRecord(graph) ? Object.entries(graph) : pairs) as [string, unknown][]
  into.name = nameIn(attributes.find(([name]) => name === 'name')?.[1])
  into.describe(attributes.filter(([name]) => name !== 'name' || into.name === undefined))
}
