import { type Kind, type Part, type Style, styleNames, styleOf, styleValue } from '../../../picture/model/styles.ts'
import type { Edge, GraphContent, Node } from '../../../schemas/graph-content.ts'
import { PROPERTIES } from './cx2-styles.ts'

/** Node heights are mapped from the size attribute. Heights that differ from the size are written as bypasses. */
const SOURCES: Record<string, Part> = { height: 'size' }

/** An aspect of the file, with its items. */
type Aspect = [name: string, items: object[]]

/**
 * Returns the aspects that describe the style of the graph, or none if it has no style. Mappings refer to the attributes of nodes
 * and edges, and bypasses contain the values that no mapping yields. `nodeId` and `edgeId` return the ids in the file.
 */
export function styleAspects(
  { directed = true, nodes, edges }: GraphContent,
  nodeId: (index: number) => unknown,
  edgeId: (index: number) => unknown
): Aspect[] {
  const ofNodes = styledElements('node', nodes, nodeId)
  const ofEdges = styledElements('edge', edges, edgeId)
  if (!ofNodes && !ofEdges) return []
  const isNamed = nodes.some(({ label }) => label !== undefined)
  const nodeLabel = isNamed && { NODE_LABEL: { type: 'PASSTHROUGH', definition: { attribute: 'name' } } }
  const defaults = { node: {}, edge: { EDGE_TARGET_ARROW_SHAPE: directed ? 'triangle' : 'none' }, network: {} }
  const properties = {
    default: defaults,
    nodeMapping: { ...nodeLabel, ...ofNodes?.mappings },
    edgeMapping: { ...ofEdges?.mappings }
  }
  const nodeSizeLocked = !ofNodes?.bypasses.some(({ v }) => 'NODE_HEIGHT' in v)
  const aspects: Aspect[] = [
    ['visualProperties', [properties]],
    ['nodeBypasses', ofNodes?.bypasses ?? []],
    ['edgeBypasses', ofEdges?.bypasses ?? []],
    ['visualEditorProperties', [{ properties: { nodeSizeLocked, arrowColorMatchesEdge: true } }]]
  ]
  return aspects.filter(([, items]) => items.length > 0)
}

function styledElements(kind: Kind, elements: readonly (Node | Edge)[], idOf: (index: number) => unknown) {
  const styles = elements.map(({ metadata }) => styleOf(kind, metadata))
  if (styles.every((style) => style === undefined)) return undefined
  const mappings: Record<string, object> = {}
  const bypasses = new Map<number, Record<string, unknown>>()
  for (const property in PROPERTIES[kind]) {
    const name = PROPERTIES[kind][property] as Part
    const part = SOURCES[name] ?? name
    const attribute = attributeOf(kind, part, elements)
    const mapping = attribute === undefined ? undefined : mappingOf(kind, part, elements, attribute)
    if (mapping) mappings[property] = mapping
    styles.forEach((style, index) => {
      const value = style?.[name as keyof Style] ?? style?.[part as keyof Style]
      const mapped = mapping && styleValue(kind, part, elements[index]?.metadata?.[attribute as string])
      if (value === undefined || value === mapped) return
      const bypass = bypasses.get(index) ?? {}
      bypasses.set(index, bypass)
      bypass[property] = value
    })
  }
  return { mappings, bypasses: [...bypasses].map(([index, v]) => ({ id: idOf(index), v })) }
}

/** Returns the first attribute that specifies this part of the style for any element. */
function attributeOf(kind: Kind, part: Part, elements: readonly (Node | Edge)[]) {
  return styleNames[kind][part]?.find((name) =>
    elements.some(({ metadata }) => styleValue(kind, part, metadata?.[name]) !== undefined)
  )
}

/** Returns a mapping of the attribute, or undefined if programs could misinterpret some of its values. */
function mappingOf(kind: Kind, part: Part, elements: readonly (Node | Edge)[], attribute: string) {
  const values = new Map<unknown, string | number | undefined>()
  for (const { metadata } of elements) {
    const value = metadata?.[attribute]
    if (value !== undefined && !values.has(value)) values.set(value, styleValue(kind, part, value))
  }
  const entries = [...values]
  const isPlain = part !== 'shape' && entries.every(([v, vp]) => vp !== undefined && (vp === v || isSameColour(v, vp)))
  if (isPlain) return { type: 'PASSTHROUGH', definition: { attribute } }
  if (entries.some(([v, vp]) => vp !== undefined && typeof v !== 'string')) return undefined
  const map = entries.flatMap(([v, vp]) => (vp === undefined ? [] : [{ v, vp }]))
  return { type: 'DISCRETE', definition: { attribute, map } }
}

function isSameColour(one: unknown, other: unknown) {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other
}
