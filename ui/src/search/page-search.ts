import { useEffect, useSyncExternalStore } from 'react'

/** A node found by name, or by the value of an attribute. */
export interface FoundNode {
  node: number
  name: string
  /** The attribute and its value, if the name does not contain the text. */
  value?: { title: string; text: string }
}

/** How the search in the header covers the open page. */
export type PageSearch =
  /** A list that shows only what contains the typed text. */
  | { kind: 'list'; text: string; onType: (text: string) => void }
  /** A graph that the browser has loaded. `find` returns its matching nodes, and `prepare` makes the first search quick. */
  | { kind: 'nodes'; find: (typed: string) => FoundNode[]; prepare: () => void; onFind: (node: number) => void }
  /** A graph that the server searches. `onFind` is called with the id of a node, or with those of an edge's endpoints. */
  | { kind: 'part'; graph: number; onFind: (nodes: string[]) => void }

let current: PageSearch | undefined
const listeners = new Set<() => void>()

function set(page: PageSearch | undefined) {
  current = page
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Makes the search in the header cover the calling page while it is open. */
export function useSearchOf(page: PageSearch | undefined) {
  useEffect(() => {
    if (page) set(page)
  })
  useEffect(() => () => set(undefined), [])
}

/** Returns how the search covers the open page, or undefined if it covers only all graphs. */
export function usePageSearch(): PageSearch | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
