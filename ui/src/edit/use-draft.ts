import { useEffect, useState } from 'react'
import { type Graph, type GraphContent, Problem } from '../api.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { withChanges } from './changes.ts'
import { type Draft, takeDraft } from './drafts.ts'
import { beginEdit, type EditHistory } from './edit-history.ts'
import { fetchState } from './save-edit.ts'

/**
 * Resumes the draft from an earlier visit, if any. Returns whether the draft is still loading. If the draft's version cannot be
 * fetched, keeps returning true, so that no other edit replaces the draft.
 */
export function useDraft(
  login: string | undefined,
  graph: Graph,
  content: GraphContent,
  onFound: (history: EditHistory) => void
): boolean {
  const [isRestoring, setIsRestoring] = useState(login !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per graph and user
  useEffect(() => {
    let isGone = false
    const restore = async () => {
      const draft = login === undefined ? undefined : await takeDraft(login, graph.id)
      const history = draft && (await continued(draft, graph, content))
      if (isGone) return
      if (history) onFound(history)
      setIsRestoring(false)
    }
    restore().catch(() => notify({ color: 'red', message: text.edit.draftWaits, autoClose: false }))
    return () => {
      isGone = true
    }
  }, [login, graph.id])
  return isRestoring
}

/** Returns an edit that starts from the draft. Throws if the draft's version cannot be fetched. */
async function continued({ version, changes }: Draft, graph: Graph, content: GraphContent): Promise<EditHistory> {
  if (version === graph.version) return beginEdit(content, version, withChanges(content, changes))
  try {
    const { content: stored } = await fetchState(graph.id, version)
    return beginEdit(stored, version, withChanges(stored, changes))
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error
  }
  // The draft's version no longer exists, so the changes that still fit are applied to the current one.
  const present = withChanges(content, changes)
  const ids = new Set(present.nodes.map(({ id }) => id))
  const edges = present.edges.filter(({ source, target }) => ids.has(source) && ids.has(target))
  notify({ color: 'yellow', message: text.edit.draftWithoutVersion, autoClose: false })
  return beginEdit(content, graph.version, { ...present, edges })
}
