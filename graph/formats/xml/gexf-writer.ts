import type { Edge, Node } from '../../../schemas/graph-content.ts'
import {
  type Attributes,
  type ColumnType,
  edgeAttributes,
  isNotFinite,
  nodeAttributes,
  type Vocabulary
} from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import type { Losses } from '../shared/losses.ts'
import {
  columnText,
  countIllegal,
  type DeclaredColumn,
  declaredColumns,
  doubleText,
  escapeXml,
  xmlAttributes,
  xmlElement,
  xmlIds
} from '../shared/xml.ts'
import { drawing } from './gexf-drawing.ts'

export const nodeVocabulary: Vocabulary = { label: null }
export const edgeVocabulary: Vocabulary = { label: null }

function* nodeValues(node: Node, losses?: Losses): Generator<[string, unknown]> {
  const { names } = drawing(node.metadata, 'node')
  const { x, y, z, ...unplaced } = node
  // A single coordinate is an ordinary attribute.
  for (const entry of nodeAttributes(x !== undefined && y !== undefined ? unplaced : node, nodeVocabulary, losses)) {
    if (!names.has(entry[0])) yield entry
  }
}

function* edgeValues(edge: Edge, losses?: Losses): Generator<[string, unknown]> {
  const { names } = drawing(edge.metadata, 'edge')
  for (const entry of edgeAttributes(edge, edgeVocabulary, losses)) {
    if (!names.has(entry[0]) && !(entry[0] === 'weight' && weightOf(edge) !== undefined)) yield entry
  }
}

/** Returns the value of the edge's weight attribute, which must be a number. */
function weightOf({ metadata }: Edge): string | undefined {
  const weight = metadata?.weight
  if (typeof weight === 'number') return String(weight)
  return typeof weight === 'string' && isNotFinite(weight) ? doubleText(weight) : undefined
}

/** GEXF also has lists of numbers, but networkx rejects files that contain them. */
const hasLists = (type: ColumnType) => type === 'string'

const META = ['creator', 'keywords', 'description']

/** Writes the graph as GEXF 1.3 and counts the losses. */
export function writeGexf({ content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata = {}, nodes, edges } = content
  const meta = META.filter((name) => typeof metadata[name] === 'string' && (metadata[name] as string).trim() !== '')
  losses.add('graph-attributes-dropped', Object.keys(metadata).length - meta.length + (label === undefined ? 0 : 1))
  countIllegal(
    [...meta.map((name) => metadata[name]), ...nodes.map((node) => node.label), ...edges.map((edge) => edge.label)],
    losses
  )
  const columns = {
    node: declaredColumns('', nodes, nodeValues, losses, hasLists),
    edge: declaredColumns('', edges, edgeValues, losses, hasLists)
  }
  const nodeId = xmlIds(nodes, losses)
  const edgeId = xmlIds(edges, losses)

  return (function* () {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield `<meta>${meta.map((name) => `<${name}>${escapeXml(metadata[name] as string)}</${name}>`).join('')}</meta>\n`
    yield `<graph defaultedgetype="${directed ? 'directed' : 'undirected'}">\n`
    for (const [kind, declared] of Object.entries(columns)) {
      if (declared.size === 0) continue
      yield `<attributes class="${kind}">\n`
      for (const { id, title, type, isList, largest } of declared.values()) {
        const ofNumbers = type === 'integer' && largest > 0x7fffffff ? 'long' : type
        yield `<attribute${xmlAttributes({ id, title, type: isList ? 'liststring' : ofNumbers })}/>\n`
      }
      yield '</attributes>\n'
    }
    yield '<nodes>\n'
    for (const node of nodes) {
      const { x, y, z } = node
      const position = x !== undefined && y !== undefined ? `<viz:position${xmlAttributes({ x, y, z })}/>` : ''
      const inside = values(nodeValues(node), columns.node) + drawing(node.metadata, 'node').text + position
      yield xmlElement('node', { id: nodeId(node.id), label: node.label }, inside)
    }
    yield '</nodes>\n<edges>\n'
    for (const edge of edges) {
      const { id, source, target, label } = edge
      const attributes = {
        id: id === undefined ? undefined : edgeId(id),
        source: nodeId(source),
        target: nodeId(target),
        type: edge.directed === undefined ? undefined : edge.directed ? 'directed' : 'undirected',
        label,
        weight: weightOf(edge)
      }
      yield xmlElement('edge', attributes, values(edgeValues(edge), columns.edge) + drawing(edge.metadata, 'edge').text)
    }
    yield '</edges>\n</graph>\n</gexf>\n'
  })()
}

type Declarations = Map<string, DeclaredColumn>

function values(attributes: Attributes, declared: Declarations) {
  let text = ''
  for (const [name, value] of attributes) {
    const column = declared.get(name)
    text += `<attvalue${xmlAttributes({ for: column?.id, value: columnText(value, column) })}/>`
  }
  return text === '' ? '' : `<attvalues>${text}</attvalues>`
}
