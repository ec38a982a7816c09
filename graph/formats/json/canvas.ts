import type { GraphBuilder } from '../shared/graph-builder.ts'
import { expectFew, idOf, records } from '../shared/json-file.ts'
import { type Json, jsonKind } from '../shared/json-kind.ts'

/**
 * JSON Canvas, the format of Obsidian's canvases: cards, files, links and groups, and the arrows between them.
 * https://jsoncanvas.org/spec/1.0
 */
export const canvas = jsonKind({
  name: 'canvas',
  title: 'JSON Canvas',
  endings: ['.canvas', '.json'],
  growsDown: true,
  members: ['nodes'],
  accepts: (text) => text.includes('"fromNode"') || (CARD.test(text) && !OTHER.test(text)),
  read
})

/** A card, which identifies a canvas without edges. */
const CARD = /"type"\s{0,20}:\s{0,20}"(?:text|file|link|group)"[^}]{0,300}"width"\s{0,20}:/

/** Members found in other JSON formats. */
const OTHER = /"(?:source|from|links|data|position|metadata)"\s{0,20}:/

function read({ nodes, edges }: Json, into: GraphBuilder) {
  into.placeOf = (kind, index) => `#/${kind}/${index}`
  expectFew(nodes, 'nodes', '#/nodes', into)
  expectFew(edges, 'edges', '#/edges', into)
  for (const [index, { id, ...node }] of records(nodes, '#/nodes', into)) {
    into.addNode(idOf(id, into) as string, index, Object.entries(centred(labelled(node))))
  }
  for (const [index, { id, fromNode, toNode, ...edge }] of records(edges, '#/edges', into)) {
    const ends = [idOf(fromNode, into), idOf(toNode, into)] as [string, string]
    const added = into.addEdge(...ends, index, Object.entries(edge))
    if (id !== undefined) added.id = idOf(id, into) as string
    // By default, an edge has an arrow at its end only.
    const isTo = edge.toEnd !== 'none'
    const isFrom = edge.fromEnd === 'arrow'
    if (isTo === isFrom) added.directed = false
    else if (isFrom) Object.assign(added, { source: ends[1], target: ends[0] })
  }
}

/** Returns the node with its own label, or else its text, file or URL as the label. */
function labelled({ text, file, url, ...node }: Json): Json {
  const label = node.label ?? text ?? file ?? url
  const kept = Object.entries({ text, file, url }).filter(([, value]) => value !== undefined && value !== label)
  return { ...node, ...Object.fromEntries(kept), ...(label !== undefined && { label }) }
}

/** Returns the node with the position of its centre instead of its top-left corner. */
function centred(node: Json): Json {
  const { x, y, width, height } = node
  const isPlaced = [x, y, width, height].every((value) => typeof value === 'number')
  return isPlaced ? { ...node, x: Number(x) + Number(width) / 2, y: Number(y) + Number(height) / 2 } : node
}
