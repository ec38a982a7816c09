import { text } from '../text/index.ts'
import type { Attribute } from './attributes.ts'
import { at, type Network, nameOf } from './network.ts'

/** The names of the nodes, as columns of a table. */
export function namesOfNodes({ nodes }: Network): Attribute[] {
  const isLabelled = nodes.some(({ label }) => label !== undefined)
  const id: Attribute = { key: 'id', title: text.attributes.id, isNumber: false, read: (index) => nodes[index]?.id }
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => nodes[index] && nameOf(nodes[index])
  }
  return isLabelled ? [label, id] : [id]
}

/** The ends and labels of the edges, as columns of a table. */
export function endsOfEdges({ edges, source, target }: Network, labelOf: (node: number) => string): Attribute[] {
  const end = (key: 'source' | 'target', ends: Uint32Array): Attribute => ({
    key,
    title: text.attributes[key],
    isNumber: false,
    read: (index) => labelOf(at(ends, index))
  })
  const label: Attribute = {
    key: 'label',
    title: text.attributes.label,
    isNumber: false,
    read: (index) => edges[index]?.label
  }
  return [
    end('source', source),
    end('target', target),
    ...(edges.some((edge) => edge.label !== undefined) ? [label] : [])
  ]
}
