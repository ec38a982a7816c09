import type { Actor } from '../../../db/actors.ts'
import { loadConsistently } from '../../../db/graphs/contents.ts'
import { findGraphWithContent, type GraphWithContent, toRecord } from '../../../db/graphs/graphs.ts'
import type { Store } from '../../../db/store.ts'
import type { WordQuery } from '../../../graph/content/words.ts'
import type { Content, GraphWorker } from '../../../graph/jobs/worker.ts'
import type { FoundElement, Wanted } from '../../../graph/query/find-elements.ts'
import type { GraphRecord } from '../../../schemas/graph.ts'
import { loadContent } from './load-content.ts'

interface Loaded {
  graph: GraphWithContent
  content: Content | null
}

export interface FoundGraph {
  graph: GraphRecord
  matches: FoundElement[]
}

/** Returns the graphs found, each with the elements that match the query. Skips graphs that were deleted in the meantime. */
export async function findMatches(
  actor: Actor,
  store: Store,
  worker: GraphWorker,
  graphs: GraphWithContent[],
  query: WordQuery,
  wanted: Wanted
): Promise<FoundGraph[]> {
  const load = async (graph: GraphWithContent | undefined): Promise<Loaded | undefined> =>
    graph && { graph, content: await loadContent(store, graph.content) }
  const loaded: Loaded[] = []
  for (const found of graphs) {
    const findAgain = () => findGraphWithContent(store.read, actor, found.id)
    const present = await loadConsistently<GraphWithContent | undefined, Loaded | undefined>(found, findAgain, load)
    if (present) loaded.push(present)
  }
  const contents = loaded.map(({ content }) => content)
  const matches = await worker.find(contents, query, wanted)
  return loaded.map(({ graph }, index) => ({ graph: toRecord(graph, graph.access), matches: matches[index] ?? [] }))
}
