import { createStore, del, promisifyRequest, set, type UseStore } from 'idb-keyval'
import type { Changes } from './changes.ts'

/** Changes that nobody has saved yet, and the version on which they are based. */
export interface Draft {
  version: number
  changes: Changes
}

/** A draft as it is kept, with its time in milliseconds. */
type KeptDraft = Draft & { at: number }

// Drafts stay in the browser, each by its user, its graph and its tab. A browser may refuse to keep anything: then there are none.

let opened: UseStore | undefined
function drafts(): UseStore {
  opened ??= createStore('graphstead', 'drafts')
  return opened
}

const TAB = 'graphstead.tab'

/** The name of this tab, which it keeps when it is loaded again. */
function tabName(): string {
  const name = sessionStorage.getItem(TAB) ?? String(Math.random())
  sessionStorage.setItem(TAB, name)
  return name
}

const keyOf = (login: string, graph: number) => [login, graph, tabName()]

/** Returns the draft of this tab; else the latest one of another tab, which becomes that of this tab. Undefined without any. */
export async function takeDraft(login: string, graph: number): Promise<Draft | undefined> {
  try {
    const own = keyOf(login, graph)
    return await drafts()('readwrite', async (store) => {
      // A list is greater than any text.
      const ofGraph = IDBKeyRange.bound([login, graph], [login, graph, []])
      const [keys, values] = await Promise.all([
        promisifyRequest(store.getAllKeys(ofGraph)),
        promisifyRequest<KeptDraft[]>(store.getAll(ofGraph))
      ])
      const kept = values.map((draft, index) => ({ draft, key: keys[index] as string[] }))
      const mine = kept.find(({ key }) => key[2] === own[2])
      const taken = mine ?? kept.sort((a, b) => b.draft.at - a.draft.at)[0]
      if (taken && taken !== mine) {
        store.delete(taken.key)
        store.put(taken.draft, own)
      }
      return taken?.draft
    })
  } catch {
    return undefined
  }
}

/** Keeps the draft of this tab, or removes it. */
export async function writeDraft(login: string, graph: number, draft: Draft | undefined) {
  try {
    const key = keyOf(login, graph)
    await (draft ? set(key, { ...draft, at: Date.now() }, drafts()) : del(key, drafts()))
  } catch {}
}
