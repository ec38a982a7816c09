import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { edgeAttributes, graphAttributes, nodeAttributes } from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import { fittingIds } from '../shared/ids.ts'
import type { Losses } from '../shared/losses.ts'
import { dotShape, fillOf, inchesOf, lineOf } from './dot-styles.ts'
import { edgeVocabulary, graphVocabulary, nodeVocabulary, placedVocabulary, textOfHtml } from './dot-values.ts'

/** Writes the graph as DOT and counts the losses. */
export function writeDot({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true, nodes, edges } = content
  const isDirected = edges.length === 0 ? directed : edges.some((edge) => edge.directed ?? directed)
  const safeId = fittingIds(
    nodes.map(({ id }) => id),
    UNSAYABLE,
    '$&\\',
    losses
  )
  const ofGraph = [...graphAttributes(content, graphVocabulary, losses)]
  countChanges(ofGraph, losses)
  for (const node of nodes) countChanges(nodeValues(node, losses), losses)
  for (const edge of edges) countChanges(edgeValues(edge, directed, isDirected, losses), losses)

  return (function* () {
    const arrow = isDirected ? '->' : '--'
    yield `${isDirected ? 'digraph' : 'graph'} ${quote(name)} {\n`
    if (type !== undefined) yield `  type=${quote(type)};\n`
    for (const [key, value] of ofGraph) yield `  ${idText(key)}=${valueText(key, value)};\n`
    for (const node of nodes) yield `  ${quote(safeId(node.id))}${attributeList(nodeValues(node))};\n`
    for (const edge of edges) {
      const ends = `${quote(safeId(edge.source))} ${arrow} ${quote(safeId(edge.target))}`
      yield `  ${ends}${attributeList(edgeValues(edge, directed, isDirected))};\n`
    }
    yield '}\n'
  })()
}

function* nodeValues(node: Node, losses?: Losses): Generator<[string, unknown]> {
  const { x, y, z, label, metadata } = node
  const isPlaced = x !== undefined && y !== undefined
  if (isPlaced) yield ['pos', z === undefined ? `${x},${y}` : `${x},${y},${z}`]
  const inches = [...inchesOf(metadata)]
  for (const [name, value] of labelled(
    nodeAttributes(node, isPlaced ? placedVocabulary : nodeVocabulary, losses),
    label,
    metadata?.htmlLabel
  )) {
    const shape = name === 'shape' ? dotShape(value) : undefined
    if (shape !== undefined) losses?.add('text-changed')
    const isTaken = inches.length > 0 && name === 'height'
    if (isTaken) losses?.add('attribute-renamed')
    yield [isTaken ? 'metadata.height' : name, shape ?? value]
  }
  yield* fillOf(metadata)
  yield* inches
}

function* edgeValues(
  edge: Edge,
  directed: boolean,
  isDirected: boolean,
  losses?: Losses
): Generator<[string, unknown]> {
  const isUndirected = isDirected && !(edge.directed ?? directed)
  if (isUndirected) yield ['dir', 'none']
  for (const [name, value] of labelled(
    edgeAttributes(edge, edgeVocabulary, losses),
    edge.label,
    edge.metadata?.htmlLabel
  )) {
    const isTaken = name === 'dir' && (isUndirected || value === 'none')
    if (isTaken) losses?.add('attribute-renamed')
    yield [isTaken ? 'metadata.dir' : name, value]
  }
  yield* lineOf(edge.metadata)
}

/** Yields the attributes, with an HTML-like label if the label equals the text of `htmlLabel`. */
function* labelled(
  attributes: Iterable<[string, unknown]>,
  label: string | undefined,
  html: unknown
): Generator<[string, unknown]> {
  const isHtml = typeof html === 'string' && isBalanced(html) && textOfHtml(html) === label
  for (const [name, value] of attributes) {
    if (isHtml && name === 'label') yield [name, new Html(html)]
    else if (!isHtml || name !== 'htmlLabel') yield [name, value]
  }
}

class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function isBalanced(html: string) {
  if (html.includes('<!--')) return false
  let depth = 0
  for (const char of html) {
    if (char === '<') depth++
    else if (char === '>' && --depth < 0) return false
  }
  return depth === 0
}

function attributeList(attributes: Iterable<[string, unknown]>) {
  const parts: string[] = []
  for (const [name, value] of attributes) parts.push(`${idText(name)}=${valueText(name, value)}`)
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`
}

function idText(name: string) {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !/^(?:node|edge|graph|digraph|subgraph|strict)$/i.test(name)
  return isPlain ? name : quote(name)
}

function valueText(name: string, value: unknown): string {
  if (value instanceof Html) return `<${value.text}>`
  if (typeof value === 'number') return numeral(value)
  if (typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name !== 'label') return quote(text)
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/&(?=#?\w+;)/g, '&amp;')
  return quote(escaped)
}

/** Formats a number without an exponent, which DOT does not support. */
function numeral(value: number) {
  const text = String(value)
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  // Integers beyond 2^53 get a decimal point, which marks them as doubles.
  if (exponent === undefined) return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${text}.0` : text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}.${digits.slice(point) || '0'}`
}

/** Text that a quoted string cannot represent: an odd number of backslashes before a quote, before a line break or at the end. */
const UNSAYABLE = /(?<!\\)\\(?:\\\\)*(?=["\n\r]|$)/g

function quote(text: string) {
  return `"${text.replace(UNSAYABLE, '$&\\').replaceAll('"', '\\"')}"`
}

function countChanges(attributes: Iterable<[string, unknown]>, losses: Losses) {
  for (const [name, value] of attributes) {
    if (value instanceof Html) continue
    if (typeof value === 'object') losses.add('nested-metadata')
    const texts = typeof value === 'string' && name !== 'label' ? [name, value] : [name]
    for (const text of texts) if (text.search(UNSAYABLE) >= 0) losses.add('text-changed')
  }
}
