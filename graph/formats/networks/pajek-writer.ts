import type { Edge } from '../../../schemas/graph-content.ts'
import type { GraphToWrite } from '../shared/format.ts'
import type { Losses } from '../shared/losses.ts'

/** The comment that marks the labels as ids. */
export const IDS_ARE_LABELS = '% Graphstead: labels are ids'

/** The comment that introduces the comments with the vertex ids. */
export const IDS_FOLLOW = '% Graphstead: ids of the vertices'

/**
 * Writes the graph in Pajek format. Node labels are written as labels. Ids are written in comments at the start, unless they
 * equal the vertex numbers.
 */
export function writePajek({ name, content }: GraphToWrite, losses: Losses) {
  const { directed = true, label, metadata, nodes, edges } = content
  losses.add('graph-attributes-dropped', Object.keys(metadata ?? {}).length + (label === undefined ? 0 : 1))
  const hasLabels = nodes.some(({ label }) => label !== undefined)
  const haveAllLabels = nodes.every(({ label }) => label !== undefined)
  const areNumbers = nodes.every(({ id }, index) => id === String(index + 1))
  if (!areNumbers) losses.add('id-replaced', nodes.length)
  const numbers = new Map(nodes.map(({ id }, index) => [id, index + 1]))
  for (const { x, y, z, metadata } of nodes) {
    if ((x === undefined) !== (y === undefined) || (z !== undefined && (x === undefined || y === undefined)))
      losses.add('position-dropped')
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length)
  }
  for (const { id, relation, metadata } of edges) {
    if (id !== undefined) losses.add('edge-id-dropped')
    if (relation !== undefined) losses.add('relation-dropped')
    const hasWeight = typeof metadata?.weight === 'number'
    losses.add('attributes-dropped', Object.keys(metadata ?? {}).length - (hasWeight ? 1 : 0))
  }

  return (function* () {
    if (!hasLabels) yield `${IDS_ARE_LABELS}\n`
    else if (!areNumbers || !haveAllLabels) {
      yield `${IDS_FOLLOW}\n`
      for (const [index, { id, label }] of nodes.entries()) {
        yield `% ${index + 1} ${quote(id)}${label === undefined ? ' unlabelled' : ''}\n`
      }
    }
    yield `*Network ${name.replace(/\s+/g, ' ')}\n*Vertices ${nodes.length}\n`
    for (const [index, { id, label, x, y, z }] of nodes.entries()) {
      const place = x !== undefined && y !== undefined ? ` ${x} ${y}${z === undefined ? '' : ` ${z}`}` : ''
      yield `${index + 1} ${quote(label ?? id)}${place}\n`
    }
    let section: boolean | undefined
    for (const edge of edges) {
      const isDirected = edge.directed ?? directed
      if (isDirected !== section) yield isDirected ? '*Arcs\n' : '*Edges\n'
      section = isDirected
      yield `${numbers.get(edge.source)} ${numbers.get(edge.target)}${edgeRest(edge)}\n`
    }
    if (section === undefined) yield directed ? '*Arcs\n' : '*Edges\n'
  })()
}

/** Returns the weight, which is the third number in a line, and the label, which must follow it. */
function edgeRest({ label, metadata }: Edge) {
  const weight = typeof metadata?.weight === 'number' ? metadata.weight : undefined
  const number = weight === undefined ? '' : ` ${weight}`
  return label === undefined ? number : `${number} l ${quote(label)}`
}

/**
 * Quotes text. Characters that some readers reject within quotes are written as character references, which Pajek uses for
 * Unicode.
 */
function quote(text: string) {
  return `"${text.replace(/["\\\r\n\u0085\u2028\u2029]|&(?=#)/g, (char) => `&#${char.charCodeAt(0)};`)}"`
}
