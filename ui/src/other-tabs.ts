import type { Query } from '@tanstack/react-query'
import { queries } from './queries.ts'

const channel = new BroadcastChannel('graphstead')

/** Tells the other tabs of this browser about changes, and fetches again what they have changed. */
export function followOtherTabs() {
  queries.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.mutation.meta?.isRead) return
    channel.postMessage('changed')
  })
  channel.onmessage = () => {
    // A graph that is shown may have an unsaved layout; it is fetched when it is opened again.
    queries.invalidateQueries({ predicate: isOpenGraph, refetchType: 'none' })
    queries.invalidateQueries({
      predicate: (query) => !isPageCode(query) && !isOpenGraph(query) && !isOfVersion(query)
    })
  }
}

function isPageCode({ queryKey }: Query) {
  return queryKey[0] === 'page'
}

function isOpenGraph({ queryKey }: Query) {
  return queryKey[0] === 'graphs' && queryKey[1] === 'one'
}

/** Tells whether the answer is about versions of a graph, which never change. */
function isOfVersion({ queryKey: [kind, part, , what] }: Query) {
  return kind === 'graphs' && part === 'history' && (what === 'version' || what === 'diff')
}
