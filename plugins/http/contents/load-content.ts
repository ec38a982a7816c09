import { bodyOf, type KeptContent } from '../../../db/graphs/contents.ts'
import type { Store } from '../../../db/store.ts'
import { takeTurn } from '../../../graph/jobs/turns.ts'
import type { Content } from '../../../graph/jobs/worker.ts'

/** Loads content for processing. Large content is loaded in a separate turn. Throws ContentGone. */
export async function loadContent(store: Store, content: KeptContent | null): Promise<Content | null> {
  if (!content) return null
  if (content.json === undefined) await takeTurn()
  return { body: await bodyOf(store.read, content), size: content.size }
}
