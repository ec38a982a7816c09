import { createStore, del, get, set } from 'idb-keyval'
import type { Changes } from './changes.ts'

/** Changes that nobody has saved yet, and the version on which they are based. */
export interface Draft {
  version: number
  changes: Changes
}

// Drafts stay in the browser, each by its user and its graph.

const drafts = () => createStore('graphstead', 'drafts')
const keyOf = (login: string, graph: number) => `${login} ${graph}`

/** Returns undefined without a draft, and where the browser keeps nothing. */
export async function readDraft(login: string, graph: number): Promise<Draft | undefined> {
  return get<Draft>(keyOf(login, graph), drafts()).catch(() => undefined)
}

/** Keeps a draft, or removes the one that is there. Does nothing where the browser keeps nothing. */
export async function writeDraft(login: string, graph: number, draft: Draft | undefined) {
  const key = keyOf(login, graph)
  await (draft ? set(key, draft, drafts()) : del(key, drafts())).catch(() => {})
}
