import type { FoundNode } from '../search/page-search.ts'
import type { Attribute } from './network/attributes.ts'
import { type Network, nameOf, nodeName } from './network/network.ts'

/** The maximum number of suggestions. */
const SUGGESTIONS = 12

/** The maximum number of values to search per keystroke, so that typing never waits for more than 50 ms. */
const VALUES = 100_000

/**
 * Returns the nodes found by name, and then, if there are few, those with an attribute whose text is the typed text or contains it.
 */
export function findElements(
  network: Network,
  attributes: readonly Attribute[],
  typed: string,
  most = VALUES
): FoundNode[] {
  const hits: FoundNode[] = [...findNodes(network, typed)].map(([name, node]) => ({ name, node }))
  const sought = typed.trim().toLowerCase()
  const texts = sought === '' ? [] : attributes.filter(({ isNumber, isComputed }) => !isNumber && !isComputed)
  if (texts.length === 0) return hits
  const named = new Set(hits.map(({ node }) => node))
  const [equal, containing]: [FoundNode[], FoundNode[]] = [[], []]
  let left = most
  for (let node = 0; node < network.nodes.length && hits.length + equal.length < SUGGESTIONS; node++) {
    left -= texts.length
    if (left < 0) break
    if (named.has(node)) continue
    const value = valueWith(sought, texts, node)
    if (value)
      (value.text.toLowerCase() === sought ? equal : containing).push({ node, name: nodeName(network, node), value })
  }
  return [...hits, ...equal, ...containing].slice(0, SUGGESTIONS)
}

/** Returns the value of a node that is the sought text, or else the first that contains it. */
function valueWith(sought: string, attributes: readonly Attribute[], node: number): FoundNode['value'] {
  let first: FoundNode['value']
  for (const { title, read } of attributes) {
    const text = String(read(node) ?? '')
    const lower = text.toLowerCase()
    if (lower === sought) return { title, text }
    if (!first && lower.includes(sought)) first = { title, text }
  }
  return first
}

/**
 * Returns the nodes whose label or id contains the text, by unique name. Names that begin with the text come
 * first.
 */
export function findNodes(network: Network, typed: string): Map<string, number> {
  const sought = typed.trim().toLowerCase()
  const [beginning, containing]: [number[], number[]] = [[], []]
  if (sought === '') return new Map()
  network.nodes.forEach((node, index) => {
    const names = [nameOf(node), node.id].map((name) => name.toLowerCase())
    if (names.some((name) => name.startsWith(sought))) beginning.push(index)
    else if (containing.length < SUGGESTIONS && names.some((name) => name.includes(sought))) containing.push(index)
  })
  const shortest = beginning.sort((a, b) => nodeName(network, a).length - nodeName(network, b).length)
  return new Map(
    [...shortest, ...containing].slice(0, SUGGESTIONS).map((index) => {
      const [name, id] = [nodeName(network, index), network.nodes[index]?.id ?? '']
      return [name === id ? name : `${name} (${id})`, index]
    })
  )
}
