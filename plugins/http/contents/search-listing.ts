import type { Actor } from '../../../db/actors.ts'
import type { GraphWithContent } from '../../../db/graphs/graphs.ts'
import { type SearchFilter, searchGraphs } from '../../../db/search/graphs.ts'
import type { Store } from '../../../db/store.ts'
import { type WordQuery, wordQueryOf } from '../../../graph/content/words.ts'
import type { GraphWorker } from '../../../graph/jobs/worker.ts'
import { faultAs } from '../../../schemas/problem-catalogue.ts'
import type { Listing } from '../paging.ts'
import { type FoundGraph, findMatches } from './find-matches.ts'

/** The amount of content after which a page ends, in bytes of JSON. */
const PAGE_BYTES = 32 * 1024 * 1024

/** A search: the words, the graphs to search, and the maximum number of elements per graph. */
export interface Search {
  words: WordQuery
  filter: SearchFilter
  limit: number
}

export interface SearchListing extends Listing<GraphWithContent> {
  show(graphs: GraphWithContent[]): Promise<FoundGraph[]>
}

/** Returns a list of the graphs that the caller may read and that match the words. `path` is used in the list's links. */
export function searchListing(
  actor: Actor,
  store: Store,
  worker: GraphWorker,
  path: string,
  { words, filter, limit }: Search
): SearchListing {
  return {
    path,
    direction: 'desc',
    rows: (slice) => searchGraphs(store, actor, words, filter, slice),
    fitting,
    show: (graphs) => findMatches(actor, store, worker, graphs, words, { limit }),
    sortKey: ({ id }) => id
  }
}

/** Returns the query for the given text. Throws `query-too-short` for the parameter. */
export function queryOf(text: string, parameter: string): WordQuery {
  const query = wordQueryOf(text)
  if (query.length > 0) return query
  throw faultAs({ parameter, code: 'query-too-short', detail: 'must contain a letter or digit' })
}

/** Returns how many of the first graphs fit on a page, based on the size of their content: at least one. */
function fitting(graphs: GraphWithContent[]) {
  let bytes = 0
  const end = graphs.findIndex(({ content }, index) => {
    bytes += content?.size ?? 0
    return index > 0 && bytes > PAGE_BYTES
  })
  return end < 0 ? graphs.length : end
}
