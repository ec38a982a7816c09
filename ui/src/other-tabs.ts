import type { Query } from '@tanstack/react-query'
import { queries } from './queries.ts'

const channel = new BroadcastChannel('graphstead')

/** Notifies other tabs in this browser of changes, and refetches data that other tabs have changed. */
export function followOtherTabs() {
  queries.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.mutation.meta?.isRead) return
    channel.postMessage('changed')
  })
  channel.onmessage = () => {
    // An open graph may have an unsaved layout, so it is refetched only when it is next opened.
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

/** Returns whether the query is about a version of a graph, which never changes. */
function isOfVersion({ queryKey: [kind, part, , what] }: Query) {
  return kind === 'graphs' && part === 'history' && (what === 'version' || what === 'diff')
}
