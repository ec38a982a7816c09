import { isRecord } from '../../content/json.ts'
import type { GraphBuilder } from '../shared/graph-builder.ts'

type Json = Record<string, unknown>

/**
 * Returns whether this is the JSON of a diagram library such as React Flow, Vue Flow or G6 5, which store a node's label and
 * position in nested objects, or bare Cytoscape.js elements without the enclosing file. In networkx and Graphstead files, which
 * have `multigraph`, such objects are attributes.
 */
export function isFlow({ nodes, multigraph }: Json): boolean {
  if (!Array.isArray(nodes) || multigraph !== undefined) return false
  return nodes.some(
    (node) => isRecord(node) && hasObject(node) && (placeOf(node) ?? labelOf(node) ?? idInData(node)) !== undefined
  )
}

/** Returns the id of a Cytoscape.js element, which is in its data. */
function idInData({ id, data }: Json) {
  return id === undefined && isRecord(data) ? data.id : undefined
}

/** Returns whether the node may have a label or position in a nested object. Most files have no such node. */
function hasObject({ position, data, style }: Json) {
  return isRecord(position) || isRecord(data) || isRecord(style)
}

/**
 * Converts the JSON of a diagram library to node-link JSON.
 * https://reactflow.dev/api-reference/types/node, https://g6.antv.antgroup.com/en/manual/data
 */
export function fromFlow(file: Json, into: GraphBuilder): Json {
  const places = new Map<unknown, Place>()
  const ofNode = (node: Json) => {
    const place = absolute(node, places)
    if (place) places.set(node.id, place)
    return flat({ ...withoutPlace(node), ...place })
  }
  const each = (list: unknown, convert: (element: Json) => Json) =>
    Array.isArray(list) ? list.map((element) => (isRecord(element) ? convert(element) : element)) : list
  const nodes = each(file.nodes, ofNode)
  // On a canvas, y increases downwards.
  into.growsDown = places.size > 0
  return { ...file, nodes, edges: each(file.edges, flat), links: each(file.links, flat) }
}

interface Place {
  x: number
  y: number
}

/** Returns the position in `position` or `style`, unless the node itself has one. */
function placeOf({ x, y, position, style }: Json): Place | undefined {
  if (x !== undefined || y !== undefined) return undefined
  return [position, style].find(isPlace)
}

function isPlace(value: unknown): value is Place {
  return isRecord(value) && typeof value.x === 'number' && typeof value.y === 'number'
}

/** Returns the position on the canvas. In React Flow, a position is relative to the parent, which comes before its children. */
function absolute(node: Json, places: Map<unknown, Place>): Place | undefined {
  const place = placeOf(node)
  const parent = places.get(node.parentId ?? node.parentNode)
  if (!place) return undefined
  const { x, y } = place === node.position && parent ? { x: place.x + parent.x, y: place.y + parent.y } : place
  return { x, y }
}

function withoutPlace(node: Json): Json {
  const place = placeOf(node)
  if (!place) return node
  const name = place === node.position ? 'position' : 'style'
  const { x: _, y: __, ...others } = place
  const { [name]: ___, ...rest } = node
  return Object.keys(others).length > 0 ? { ...rest, [name]: others } : rest
}

function labelOf({ label, data, style }: Json): string | undefined {
  if (label !== undefined) return undefined
  const labels = [isRecord(data) && data.label, isRecord(style) && style.labelText]
  return labels.find((text) => typeof text === 'string') as string | undefined
}

/** Moves the label, and the members of `data` whose names are not taken, into the element. */
function flat(element: Json): Json {
  const { data, ...rest } = element
  const label = labelOf(element)
  const own: Json = label === undefined ? rest : { ...rest, label }
  if (!isRecord(data)) return data === undefined ? own : { ...own, data }
  const isFree = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(own, name) || (name === 'label' && value === label)
  const entries = Object.entries(data)
  const taken = entries.filter((entry) => !isFree(entry))
  return {
    ...Object.fromEntries(entries.filter(isFree)),
    ...own,
    ...(taken.length > 0 && { data: Object.fromEntries(taken) })
  }
}
