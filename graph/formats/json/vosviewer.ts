import { isRecord } from '../../content/json.ts'
import type { Attributes } from '../shared/attributes.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { idOf, records } from '../shared/json-file.ts'
import { type Json, jsonKind } from '../shared/json-kind.ts'

/**
 * The JSON of VOSviewer: items with clusters, weights and scores, and links with a strength.
 * https://app.vosviewer.com/docs/file-types/json-file-type
 */
export const vosviewer = jsonKind({
  name: 'vosviewer',
  title: 'VOSviewer JSON',
  endings: ['.vosviewer.json', '.json'],
  members: ['network'],
  accepts: (text) => /"network"\s*:\s*\{/.test(text) && text.includes('"items"'),
  read
})

const ITEMS = '#/network/items'
const LINKS = '#/network/links'

function read({ network, ...others }: Json, into: GraphBuilder) {
  if (!isRecord(network) || !Array.isArray(network.items)) {
    throw new Unreadable('#/network', 'wrong-type', 'must have items: this is not VOSviewer JSON')
  }
  into.directed = false
  into.placeOf = (kind, index) => `${kind === 'nodes' ? ITEMS : LINKS}/${index}`
  const { items, links, clusters, ...rest } = network
  for (const [index, { id, ...item }] of records(items, ITEMS, into)) {
    into.addNode(idOf(id, into) as string, index, measured(item))
  }
  for (const [index, link] of records(links, LINKS, into)) {
    const { source_id: source, target_id: target, strength, ...attributes } = link
    const ends = [idOf(source, into), idOf(target, into)] as [string, string]
    if (strength !== undefined) attributes.weight = strength
    into.addEdge(...ends, index, Object.entries(attributes))
  }
  if (clusters !== undefined) into.describe([['clusters', clusters]])
  into.losses.add('aspects-dropped', Object.keys(others).length + Object.keys(rest).length)
}

/** Yields the attributes. Weights and scores are named after their columns in VOSviewer's map files. */
function* measured(item: Json): Generator<[string, unknown]> {
  for (const name in item) {
    const value = item[name]
    if ((name === 'weights' || name === 'scores') && isRecord(value)) yield* columnsOf(name.slice(0, -1), value)
    else yield [name, value]
  }
}

function columnsOf(name: string, measures: Json): Attributes {
  return Object.entries(measures).map(([measure, value]) => [`${name}<${measure}>`, value])
}
