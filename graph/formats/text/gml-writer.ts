import type { Edge, Node } from '../../../schemas/graph-content.ts'
import { isRecord } from '../../content/json.ts'
import { edgeAttributes, graphAttributes, isMultigraph, nodeAttributes } from '../shared/attributes.ts'
import type { GraphToWrite } from '../shared/format.ts'
import { areIntegers, ORIGINAL_IDS } from '../shared/ids.ts'
import type { Losses } from '../shared/losses.ts'
import { edges, graph, ID, keyFor, LIST_START, nodes } from './gml-keys.ts'

/** Writes the graph as GML and counts the losses. */
export function writeGml({ name, type, content }: GraphToWrite, losses: Losses) {
  const { directed = true } = content
  const isMixed = content.edges.some((edge) => edge.directed !== undefined && edge.directed !== directed)
  const isDirected = isMixed || (content.edges.length > 0 ? (content.edges[0]?.directed ?? directed) : directed)
  const multigraph = isMixed || isMultigraph(content.edges, isDirected)
  const isDoubled = (edge: Edge) => isMixed && !(edge.directed ?? directed)
  const hasIntegers = areIntegers(content.nodes.map(({ id }) => id))
  const idOf = new Map(content.nodes.map(({ id }, index) => [id, hasIntegers ? Number(id) : index]))
  if (!hasIntegers) losses.add('id-replaced', content.nodes.length)
  const edgeIdIsInteger = (id: string | undefined) => areIntegers([id])
  losses.add('id-replaced', content.edges.filter(({ id }) => id !== undefined && !edgeIdIsInteger(id)).length)
  losses.add('edge-per-direction', content.edges.filter(isDoubled).length)

  const ofGraph = [...graphAttributes(content, graph, losses)]
  for (const [, value] of ofGraph) countChanges(value, losses)
  for (const node of content.nodes) {
    const { graphics, rest } = withGraphics(node)
    countChanges(graphics, losses)
    for (const [, value] of nodeAttributes(rest, nodes, losses)) countChanges(value, losses)
  }
  for (const edge of content.edges)
    for (const [, value] of edgeAttributes(edge, edges, losses)) countChanges(value, losses)

  return (function* () {
    yield `Creator "Graphstead"\nVersion 1\ngraph [\n  directed ${isDirected ? 1 : 0}\n  ${ORIGINAL_IDS} 1\n`
    if (multigraph) yield '  multigraph 1\n'
    yield pair('name', name, '  ')
    if (type !== undefined) yield pair('type', type, '  ')
    for (const [key, value] of ofGraph) yield pair(key, value, '  ')
    for (const node of content.nodes) yield nodeText(node, idOf.get(node.id) as number)
    for (const edge of content.edges) {
      const ends = [idOf.get(edge.source), idOf.get(edge.target)] as [number, number]
      yield edgeText(edge, ends, edge.id)
      if (isDoubled(edge)) yield edgeText(edge, [ends[1], ends[0]], undefined)
    }
    yield ']\n'
  })()
}

/** Writes a node. If it has no label, uses its id as the label, since networkx requires one. */
function nodeText(node: Node, id: number) {
  const { graphics, rest } = withGraphics(node)
  let text = `  node [\n    id ${id}\n`
  if (node.label === undefined) text += pair('label', node.id, '    ')
  else text += pair(ID, node.id, '    ')
  text += pair('graphics', graphics, '    ')
  for (const [key, value] of nodeAttributes(rest, nodes)) text += pair(key, value, '    ')
  return `${text}  ]\n`
}

/** Splits a node into `graphics`, which combines the position with the metadata of that name, and everything else. */
function withGraphics(node: Node): { graphics?: Record<string, unknown>; rest: Node } {
  const { x, y, z, ...rest } = node
  const position = { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(z !== undefined && { z }) }
  const isPlaced = Object.keys(position).length > 0
  const drawn = rest.metadata?.graphics
  const isPlain =
    isRecord(drawn) && isHeld(drawn) && Object.keys(drawn).length > 0 && !('x' in drawn || 'y' in drawn || 'z' in drawn)
  if (!isPlain) return isPlaced ? { graphics: position, rest } : { rest }
  const { graphics: _, ...metadata } = rest.metadata ?? {}
  return { graphics: { ...position, ...drawn }, rest: { ...rest, metadata } }
}

function edgeText(edge: Edge, [source, target]: [number, number], id: string | undefined) {
  let text = `  edge [\n    source ${source}\n    target ${target}\n`
  if (id !== undefined) text += areIntegers([id]) ? `    id ${id}\n` : pair(ID, id, '    ')
  for (const [key, value] of edgeAttributes(edge, edges)) text += pair(key, value, '    ')
  return `${text}  ]\n`
}

/** Writes a key and its value. A list becomes one line per item. */
function pair(key: string, value: unknown, indent: string): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return `${indent}${key} "${quoted(value)}"\n`
  if (typeof value === 'number') return `${indent}${key} ${numberText(value)}\n`
  if (typeof value === 'boolean') return `${indent}${key} ${value ? 1 : 0}\n`
  if (isRecord(value) && isHeld(value)) {
    const inside = Object.entries(value).map(([name, item]) => pair(keyFor(name, false), item, `${indent}  `))
    return `${indent}${key} [\n${inside.join('')}${indent}]\n`
  }
  if (Array.isArray(value) && isHeld(value)) {
    const start = value.length === 1 ? `${indent}${key} "${LIST_START}"\n` : ''
    return start + value.map((item) => pair(key, item, indent)).join('')
  }
  return `${indent}${key} "${quoted(JSON.stringify(value))}"\n`
}

/** Formats a number. Integers in GML have 32 bits, so larger ones are written with a decimal point. */
function numberText(value: number) {
  if (Number.isInteger(value) && Math.abs(value) <= 0x7fffffff) return String(value)
  const text = String(value)
  if (text.includes('.')) return text
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`
}

/** Returns whether GML can represent the value. GML has no null, empty lists or nested lists. */
function isHeld(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => !Array.isArray(item) && isHeld(item))
  if (isRecord(value)) return Object.values(value).every(isHeld)
  return value !== null
}

function countChanges(value: unknown, losses: Losses) {
  if (typeof value === 'boolean') losses.add('type-changed')
  else if (typeof value !== 'object') return
  else if (!isHeld(value)) losses.add('nested-metadata')
  else for (const item of Object.values(value as object)) countChanges(item, losses)
}

/** Escapes text to ASCII, with entities for all other characters, as the GML specification prescribes and networkx requires. */
function quoted(text: string) {
  if (!/[&"]|[^ -~]/.test(text)) return text
  return text.replace(/[&"]|[^ -~]/gu, (char) =>
    char === '&' ? '&amp;' : char === '"' ? '&quot;' : `&#${char.codePointAt(0)};`
  )
}
