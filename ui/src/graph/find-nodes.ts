import type { FoundNode } from '../search/page-search.ts'
import { text } from '../text/index.ts'
import type { Attribute } from './network/attributes.ts'
import { type Network, nameOf, nodeName } from './network/network.ts'

/** The maximum number of suggestions. */
const SUGGESTIONS = 12

/** The maximum number of values to index, so that this takes no longer than 100 ms. */
const VALUES = 100_000

/** The maximum length of a value in an option, in UTF-16 units. */
const LONGEST = 60

export interface NodeFinder {
  /**
   * Returns the nodes whose label or id contains the text, and then, if there are few, those with an attribute whose text is the
   * typed text or contains it.
   */
  find: (typed: string) => FoundNode[]
  /** Builds the index, which the first search would do otherwise. */
  prepare: () => void
}

/** The searched texts in lower case. `values` contains those of each attribute, by node. */
interface NodeIndex {
  names: string[]
  ids: string[]
  values: string[][]
}

/** Returns a finder for the nodes of a network. Numbers and computed attributes are not searched. */
export function nodeFinder(network: Network, attributes: readonly Attribute[], most = VALUES): NodeFinder {
  const texts = attributes.filter(({ isNumber, isComputed }) => !isNumber && !isComputed)
  let index: NodeIndex | undefined
  const find = (sought: string) => {
    index ??= indexOf(network, texts, Math.floor(most / Math.max(1, texts.length)))
    return findIn(index, network, texts, sought)
  }
  return {
    prepare: () => {
      // A first search also compiles the code. No name contains this character.
      if (!index) find('\uffff')
    },
    find: (typed) => {
      const sought = typed.trim().toLowerCase()
      return sought === '' ? [] : find(sought)
    }
  }
}

/** Returns the index of all names, and of the attributes of the first nodes. */
function indexOf({ nodes }: Network, attributes: readonly Attribute[], count: number): NodeIndex {
  const length = Math.min(count, nodes.length)
  return {
    names: nodes.map((node) => nameOf(node).toLowerCase()),
    ids: nodes.map(({ id }) => id.toLowerCase()),
    values: attributes.map(({ read }) => Array.from({ length }, (_, node) => String(read(node) ?? '').toLowerCase()))
  }
}

function findIn(index: NodeIndex, network: Network, attributes: readonly Attribute[], sought: string): FoundNode[] {
  const named = byName(index, network, sought)
  const [equal, containing]: [FoundNode[], FoundNode[]] = [[], []]
  const count = index.values[0]?.length ?? 0
  for (let node = 0; node < count && named.length + equal.length < SUGGESTIONS; node++) {
    if (named.includes(node)) continue
    const exact = index.values.findIndex((values) => values[node] === sought)
    const place = exact >= 0 ? exact : index.values.findIndex((values) => values[node]?.includes(sought))
    const attribute = attributes[place]
    if (!attribute || (exact < 0 && containing.length >= SUGGESTIONS)) continue
    const value = { title: attribute.title, text: String(attribute.read(node) ?? '') }
    ;(exact >= 0 ? equal : containing).push({ node, name: nameWithId(network, node), value })
  }
  const hits = named.map((node) => ({ node, name: nameWithId(network, node) }))
  return [...hits, ...equal, ...containing].slice(0, SUGGESTIONS)
}

/** Returns the nodes whose name or id contains the text. Those that begin with it come first, by the length of their names. */
function byName({ names, ids }: NodeIndex, network: Network, sought: string): number[] {
  const [beginning, containing]: [number[], number[]] = [[], []]
  names.forEach((name, node) => {
    const id = ids[node] as string
    if (name.startsWith(sought) || id.startsWith(sought)) beginning.push(node)
    else if (containing.length < SUGGESTIONS && (name.includes(sought) || id.includes(sought))) containing.push(node)
  })
  beginning.sort((one, other) => nodeName(network, one).length - nodeName(network, other).length)
  return [...beginning, ...containing].slice(0, SUGGESTIONS)
}

/** Returns the name of a node, and its id if the name is not the id. */
export function nameWithId(network: Network, node: number) {
  const [name, id] = [nodeName(network, node), network.nodes[node]?.id ?? '']
  return name === id ? name : `${name} (${id})`
}

/** Returns the options of a field that suggests these nodes, by unique text. */
export function optionsOf(found: readonly FoundNode[]): Map<string, number> {
  return new Map(
    found.map(({ node, name, value }) => {
      if (!value) return [name, node]
      const short = value.text.length > LONGEST ? `${value.text.slice(0, LONGEST)}…` : value.text
      return [`${name} · ${text.search.value(value.title, short)}`, node]
    })
  )
}
