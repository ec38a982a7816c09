import { type GraphBuilder, quote } from '../shared/graph-builder.ts'
import { nodesOf } from '../shared/lines.ts'
import type { Row } from './csv-rows.ts'
import { pythonDictionary } from './python.ts'

// The text formats of networkx, other than plain edge lists.

/** The second comment in networkx's adjacency lists. Its edge lists have no comments. */
export const ADJACENCY = /^# GMT \w{3} \w{3} /m

/** Splits a line written by networkx that ends with a dictionary. */
export function wordsAndDictionary(line: string): string[] {
  const brace = line.search(/[\s,]\{/) + 1
  const words = line.slice(0, brace).split(/[\s,]+/)
  return [...words.filter((word) => word !== ''), line.slice(brace)]
}

/** Reads edges with their attributes, from `write_edgelist`: `a b {'weight': 3.0}`. */
export function readDictionaries(rows: Iterable<Row>, into: GraphBuilder) {
  const nodeOf = nodesOf(into)
  for (const { cells, at } of rows) {
    const [source = '', target = '', dictionary = '{}', ...rest] = cells
    if (rest.length > 0 || target === '' || target.startsWith('{')) {
      into.fault(at, 'malformed', 'is not two nodes and a Python dictionary')
    } else addEdge(into, nodeOf(source, at).id, nodeOf(target, at).id, dictionary, at)
  }
}

/** Reads a node and its neighbours per line, from `write_adjlist`. */
export function readAdjacency(rows: Iterable<Row>, into: GraphBuilder) {
  const nodeOf = nodesOf(into)
  for (const { cells, at } of rows) {
    const [source = '', ...targets] = cells
    nodeOf(source, at)
    for (const target of targets) into.addEdge(source, nodeOf(target, at).id, at)
  }
}

/**
 * Reads an adjacency list with a line per neighbour, from `write_multiline_adjlist`: a node and the number of its neighbours,
 * then each neighbour with a dictionary.
 */
export function readMultiline(rows: Iterable<Row>, into: GraphBuilder) {
  const nodeOf = nodesOf(into)
  let source = ''
  let left = 0
  for (const { cells, at } of rows) {
    const [node = '', value = '{}', ...rest] = cells
    nodeOf(node, at)
    if (left > 0) {
      left--
      addEdge(into, source, node, value, at)
    } else if (rest.length === 0 && /^\d+$/.test(value)) {
      source = node
      left = Number(value)
    } else into.fault(at, 'malformed', 'is not a node and the number of its neighbours')
  }
  if (left > 0)
    into.refuse(into.text.length, 'incomplete', `ends before the last ${left} neighbours of ${quote(source)}`)
}

function addEdge(into: GraphBuilder, source: string, target: string, dictionary: string, at: number) {
  const attributes = pythonDictionary(dictionary, into)
  if (attributes) into.addEdge(source, target, at, Object.entries(attributes))
  else into.fault(at, 'malformed', `${quote(dictionary)} is not a Python dictionary`)
}
