import type { Actor } from '../../db/actors.ts'
import type { ContentWords } from '../../db/changes/rows.ts'
import { ContentGone } from '../../db/graphs/contents.ts'
import { findGraphAt } from '../../db/graphs/graphs.ts'
import { LARGE_CONTENT } from '../../db/search/word-index.ts'
import type { Store } from '../../db/store.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { loadContent } from '../http/contents/load-content.ts'

/** Extracts the words of a version's content if it is large, since this would take too long within a transaction. */
export async function findWords(
  { store, worker }: { store: Store; worker: GraphWorker },
  actor: Actor,
  id: number,
  version: number
): Promise<ContentWords | undefined> {
  const kept = (await findGraphAt(store.read, actor, id, version))?.content
  if (!kept || kept.size < LARGE_CONTENT) return undefined
  const content = await loadContent(store, kept).catch((error: unknown) => {
    // The transaction reports that the version no longer exists.
    if (error instanceof ContentGone) return undefined
    throw error
  })
  return content ? { contentId: kept.id, text: await worker.words(content) } : undefined
}
