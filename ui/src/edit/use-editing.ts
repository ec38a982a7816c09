import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAccount } from '../account/account.ts'
import { type Graph, type GraphContent, Problem } from '../api.ts'
import { mayChange, refreshGraphs } from '../graphs/graphs.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { changesBetween, sizeOf, withChanges } from './changes.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { beginEdit, type EditHistory, edit, redo, undo } from './edit-history.ts'
import { type Conflict, merge, type Side } from './merge.ts'
import { fetchState, saveEdit } from './save-edit.ts'

/** Changes of others that cannot be merged without a decision. */
export interface Clash {
  theirs: { content: GraphContent; version: number }
  conflicts: Conflict[]
}

/** How often a save is tried again with the changes of others. */
const ATTEMPTS = 5

/** The edit of a content. What is not saved stays in this browser, also when the page is left. */
export function useEditing(graph: Graph, content: GraphContent, isPart: boolean) {
  const { login } = useAccount()
  const [history, setHistory] = useState<EditHistory>()
  const [clash, setClash] = useState<Clash>()
  const isPossible = mayChange(graph) && !isPart
  const changes = useMemo(() => history && changesBetween(history.stored, history.present), [history])
  const size = changes ? sizeOf(changes) : 0

  useDraft(isPossible ? login : undefined, graph, content, setHistory)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the changes come from the history
  useEffect(() => {
    if (history) writeDraft(login, graph.id, changes && size > 0 ? { version: history.version, changes } : undefined)
  }, [history, login, graph.id])

  const save = useMutation({
    mutationFn: async ({ message, from }: { message: string; from: EditHistory }) => {
      let history = from
      for (let attempt = 1; ; attempt++) {
        try {
          return await saveEdit(graph, history, message)
        } catch (error) {
          const isOutdated = error instanceof Problem && error.code === 'version-conflict'
          if (!isOutdated || attempt === ATTEMPTS) throw error
        }
        const theirs = await fetchState(graph.id)
        const { content, conflicts } = merge(history.stored, theirs.content, history.present)
        if (conflicts.length > 0) {
          setClash({ theirs, conflicts })
          setHistory(history)
          return undefined
        }
        history = beginEdit(theirs.content, theirs.version, content)
      }
    },
    onSuccess: async (saved) => {
      if (!saved) return
      await writeDraft(login, graph.id, undefined)
      await refreshGraphs()
      setHistory(undefined)
      notify({ message: text.edit.saved(graph.name) })
    }
  })

  return {
    isPossible,
    /** Undefined while nobody edits. */
    history,
    /** The number of changed elements. */
    size,
    content: history?.present ?? content,
    clash,
    save,
    begin: () => setHistory(beginEdit(content, graph.version)),
    change: (next: GraphContent) => history && setHistory(edit(history, next)),
    undo: () => history && setHistory(undo(history)),
    redo: () => history && setHistory(redo(history)),
    discard: () => {
      writeDraft(login, graph.id, undefined)
      setHistory(undefined)
    },
    /** Goes on with the decided conflicts; without a decision, as before. */
    decide: (chosen: ReadonlyMap<string, Side> | undefined) => {
      setClash(undefined)
      if (!clash || !history || !chosen) return
      const { content, version } = clash.theirs
      setHistory(beginEdit(content, version, merge(history.stored, content, history.present, chosen).content))
    }
  }
}

export type Editing = ReturnType<typeof useEditing>

/** Goes on with the draft of an earlier visit, if there is one. */
function useDraft(
  login: string | undefined,
  { id, version }: Graph,
  content: GraphContent,
  onFound: (history: EditHistory) => void
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each graph and user
  useEffect(() => {
    let isGone = false
    const restore = async () => {
      const draft = login === undefined ? undefined : await readDraft(login, id)
      if (!draft) return
      const isCurrent = draft.version === version
      // A version that is not kept any more cannot be compared with that of others.
      const stored = isCurrent
        ? content
        : await fetchState(id, draft.version).then(
            ({ content }) => content,
            () => content
          )
      if (!isGone) onFound(beginEdit(stored, draft.version, withChanges(stored, draft.changes)))
    }
    restore()
    return () => {
      isGone = true
    }
  }, [login, id])
}
