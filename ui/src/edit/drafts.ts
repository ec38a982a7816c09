import { createStore, del, promisifyRequest, set, type UseStore } from 'idb-keyval'
import type { Changes } from './changes.ts'

/** Unsaved changes and the version they are based on. */
export interface Draft {
  version: number
  changes: Changes
}

/** A draft with the time when it was stored, in milliseconds since the epoch. */
type KeptDraft = Draft & { at: number }

// Drafts are stored in the browser by user, graph and tab. If the browser blocks storage, no drafts are kept.

let opened: UseStore | undefined
function drafts(): UseStore {
  opened ??= createStore('graphstead', 'drafts')
  return opened
}

const TAB = 'graphstead.tab'

/** Returns the name of this tab, which survives a reload. */
function tabName(): string {
  const name = sessionStorage.getItem(TAB) ?? String(Math.random())
  sessionStorage.setItem(TAB, name)
  return name
}

const keyOf = (login: string, graph: number) => [login, graph, tabName()]

/** Returns this tab's draft, or else takes over the latest draft of another tab. Returns undefined if there are no drafts. */
export async function takeDraft(login: string, graph: number): Promise<Draft | undefined> {
  try {
    const own = keyOf(login, graph)
    return await drafts()('readwrite', async (store) => {
      // In IndexedDB, arrays sort after strings.
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

/** Stores or removes this tab's draft. */
export async function writeDraft(login: string, graph: number, draft: Draft | undefined) {
  try {
    const key = keyOf(login, graph)
    await (draft ? set(key, { ...draft, at: Date.now() }, drafts()) : del(key, drafts()))
  } catch {}
}
