import type { Edge, GraphContent, Node } from '../api.ts'

// Element values as shown in table cells, by column key: `label`, `relation`, or `metadata.` followed by a name.

type Kind = 'node' | 'edge'

const PREFIX = 'metadata.'

/** Returns the column key for the attribute with this name. */
export function keyOfAttribute(name: string): string {
  return PREFIX + name
}

/** Returns whether values with this key can be edited. Ids and endpoints cannot change, and counts are computed. */
export function isEditable(kind: Kind, key: string): boolean {
  return key === 'label' || (key === 'relation' && kind === 'edge') || key.startsWith(PREFIX)
}

/** Returns the value for this key, or undefined if there is none. */
export function valueIn(element: Node | Edge | undefined, key: string): unknown {
  if (!element) return undefined
  if (!key.startsWith(PREFIX)) return (element as { label?: string; relation?: string })[key as 'label' | 'relation']
  const name = key.slice(PREFIX.length)
  return element.metadata && Object.hasOwn(element.metadata, name) ? element.metadata[name] : undefined
}

/** Sets a value. Undefined removes it. Returns the same object if nothing changes. */
export function withValue<E extends Node | Edge>(element: E, key: string, value: unknown): E {
  if (JSON.stringify(valueIn(element, key)) === JSON.stringify(value)) return element
  if (!key.startsWith(PREFIX)) return withMember(element, key, value)
  const metadata = withMember(element.metadata ?? {}, key.slice(PREFIX.length), value)
  return withMember(element, 'metadata', Object.keys(metadata).length > 0 ? metadata : undefined)
}

/** Sets a member without moving it, or removes it. The name may be `__proto__`. */
function withMember<T extends object>(value: T, name: string, member: unknown): T {
  if (member !== undefined) return { ...value, [name]: member }
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)) as T
}

/** Returns whether both lists contain the same elements in the same order, regardless of their values. */
export function areSameElements(some: readonly (Node | Edge)[] = [], others: readonly (Node | Edge)[] = []): boolean {
  return some.length === others.length && some.every((element, index) => isSameElement(element, others[index]))
}

function isSameElement(some: Partial<Node & Edge>, other: Partial<Node & Edge> = {}): boolean {
  return some === other || (some.id === other.id && some.source === other.source && some.target === other.target)
}

/** Sets all these elements to the same value. Returns the same content if nothing changes. */
export function withValues(
  content: GraphContent,
  kind: Kind,
  indexes: Iterable<number>,
  key: string,
  value: unknown
): GraphContent {
  const list = kind === 'node' ? 'nodes' : 'edges'
  const elements: (Node | Edge)[] = content[list].slice()
  let isChanged = false
  for (const index of indexes) {
    const element = elements[index]
    if (!element) continue
    const changed = withValue(element, key, value)
    isChanged ||= changed !== element
    elements[index] = changed
  }
  return isChanged ? { ...content, [list]: elements } : content
}
