import { queries } from './queries.ts'

const channel = new BroadcastChannel('graphstead')

/** Tells the other tabs of this browser about changes, and fetches again what they have changed. */
export function followOtherTabs() {
  queries.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') channel.postMessage('changed')
  })
  channel.onmessage = () => {
    // A graph that is shown may have an unsaved layout; it is fetched when it is opened again.
    queries.invalidateQueries({ predicate: isOpenGraph, refetchType: 'none' })
    queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'page' && !isOpenGraph(query) })
  }
}

function isOpenGraph({ queryKey }: { queryKey: readonly unknown[] }) {
  return queryKey[0] === 'graphs' && queryKey[1] === 'one'
}
