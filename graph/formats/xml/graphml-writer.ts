import { styleOf } from '../../../picture/model/styles.ts'
import { type Attributes, edgeAttributes, graphAttributes, nodeAttributes } from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import type { Losses } from '../shared/losses.ts'
import {
  columnText,
  type DeclaredColumn,
  declaredColumns,
  escapeXml,
  xmlAttributes,
  xmlElement,
  xmlIds
} from '../shared/xml.ts'
import { edgeDrawing, nodeDrawing } from './graphml-drawing-writer.ts'

const graphVocabulary = { taken: new Set(['name', 'type']) }

/** Writes the graph as GraphML and counts the losses. */
export function writeGraphml({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true, nodes, edges } = content
  const ofGraph: [string, unknown][] = [
    ['name', name],
    ...(type === undefined ? [] : ([['type', type]] as [string, unknown][])),
    ...graphAttributes(content, graphVocabulary, losses)
  ]
  const keys = {
    graph: declaredColumns('g', [content], () => ofGraph, losses),
    node: declaredColumns('n', nodes, (node) => nodeAttributes(node, {}, losses), losses),
    edge: declaredColumns('e', edges, (edge) => edgeAttributes(edge, {}, losses), losses)
  }
  const nodeId = xmlIds(nodes, losses)
  const edgeId = xmlIds(edges, losses)

  const isDrawn = {
    node: nodes.some(({ metadata }) => styleOf('node', metadata)),
    edge: edges.some(({ metadata }) => styleOf('edge', metadata))
  }
  const yFiles = isDrawn.node || isDrawn.edge ? ' xmlns:y="http://www.yworks.com/xml/graphml"' : ''

  return (function* () {
    yield `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns"${yFiles}>\n`
    for (const [domain, columns] of Object.entries(keys)) {
      for (const { id, title, type, largest } of columns.values()) {
        const attrType = type === 'integer' ? (largest > 0x7fffffff ? 'long' : 'int') : type
        yield `<key${xmlAttributes({ id, for: domain, 'attr.name': title, 'attr.type': attrType })}/>\n`
      }
    }
    if (isDrawn.node) yield '<key id="yn" for="node" yfiles.type="nodegraphics"/>\n'
    if (isDrawn.edge) yield '<key id="ye" for="edge" yfiles.type="edgegraphics"/>\n'
    yield `<graph edgedefault="${directed ? 'directed' : 'undirected'}">\n${data(ofGraph, keys.graph)}\n`
    for (const node of nodes) {
      const drawn = isDrawn.node ? nodeDrawing(node) : ''
      // networkx mistakes the corner in a drawing for the position, unless the position comes after it.
      yield xmlElement('node', { id: nodeId(node.id) }, drawn + data(nodeAttributes(node, {}), keys.node))
    }
    for (const edge of edges) {
      const { id, source, target } = edge
      const attributes = {
        id: id === undefined ? undefined : edgeId(id),
        source: nodeId(source),
        target: nodeId(target),
        directed: edge.directed
      }
      const drawn = isDrawn.edge ? edgeDrawing(edge, directed) : ''
      yield xmlElement('edge', attributes, data(edgeAttributes(edge, {}), keys.edge) + drawn)
    }
    yield '</graph>\n</graphml>\n'
  })()
}

type Declarations = Map<string, DeclaredColumn>

function data(attributes: Attributes, keys: Declarations) {
  let text = ''
  for (const [name, value] of attributes) {
    const key = keys.get(name)
    text += `<data key="${key?.id}">${escapeXml(columnText(value, key))}</data>`
  }
  return text
}
