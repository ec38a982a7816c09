import type { FoundNode } from '../search/page-search.ts'
import type { Attribute } from './network/attributes.ts'
import type { Network } from './network/network.ts'

/** The maximum number of suggestions. */
const SUGGESTIONS = 12

/** The maximum number of values to search per keystroke, so that typing never waits for more than 50 ms. */
const VALUES = 100_000

/**
 * Returns the nodes found by name, and then, if there are few, those with an attribute whose text is the typed text or contains it.
 */
export function findElements(
  network: Network,
  labelOf: (node: number) => string,
  attributes: readonly Attribute[],
  typed: string,
  most = VALUES
): FoundNode[] {
  const hits: FoundNode[] = [...findNodes(network, labelOf, typed)].map(([name, node]) => ({ name, node }))
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
    if (value) (value.text.toLowerCase() === sought ? equal : containing).push({ node, name: labelOf(node), value })
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
 * Returns the nodes whose display name, label or id contains the text, by unique name. Names that begin with the text come
 * first.
 */
export function findNodes({ nodes }: Network, labelOf: (node: number) => string, typed: string): Map<string, number> {
  const sought = typed.trim().toLowerCase()
  const [beginning, containing]: [number[], number[]] = [[], []]
  if (sought === '') return new Map()
  nodes.forEach(({ id, label = '' }, index) => {
    const names = [labelOf(index), label, id].map((name) => name.toLowerCase())
    if (names.some((name) => name.startsWith(sought))) beginning.push(index)
    else if (containing.length < SUGGESTIONS && names.some((name) => name.includes(sought))) containing.push(index)
  })
  const shortest = beginning.sort((a, b) => labelOf(a).length - labelOf(b).length)
  return new Map(
    [...shortest, ...containing].slice(0, SUGGESTIONS).map((index) => {
      const [name, id] = [labelOf(index), nodes[index]?.id ?? '']
      return [name === id ? name : `${name} (${id})`, index]
    })
  )
}
