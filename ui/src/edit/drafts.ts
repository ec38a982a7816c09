import { createStore, del, get, set, type UseStore } from 'idb-keyval'
import type { Changes } from './changes.ts'

/** Changes that nobody has saved yet, and the version on which they are based. */
export interface Draft {
  version: number
  changes: Changes
}

// Drafts stay in the browser, each by its user and its graph. A browser may refuse to keep anything: then there are none.

let opened: UseStore | undefined
function drafts(): UseStore {
  opened ??= createStore('graphstead', 'drafts')
  return opened
}

const keyOf = (login: string, graph: number) => `${login} ${graph}`

/** Returns undefined without a draft. */
export async function readDraft(login: string, graph: number): Promise<Draft | undefined> {
  try {
    return await get<Draft>(keyOf(login, graph), drafts())
  } catch {
    return undefined
  }
}

/** Keeps a draft, or removes the one that is there. */
export async function writeDraft(login: string, graph: number, draft: Draft | undefined) {
  const key = keyOf(login, graph)
  try {
    await (draft ? set(key, draft, drafts()) : del(key, drafts()))
  } catch {}
}
