import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAccount } from '../account/account.ts'
import { type Graph, type GraphContent, type GraphVersion, isProblem } from '../api.ts'
import { mayChange, refreshGraphs } from '../graphs/graphs.ts'
import { notify } from '../shared/notify.ts'
import type { Side } from '../shared/side.ts'
import { text } from '../text/index.ts'
import { changesBetween, sizeOf } from './changes.ts'
import { type Conflict, type Decisions, decided } from './differences.ts'
import { writeDraft } from './drafts.ts'
import { beginEdit, type EditHistory, edit, redo, undo } from './edit-history.ts'
import { merge } from './merge.ts'
import { fetchSaves, fetchState, saveEdit } from './save-edit.ts'
import { useDraft } from './use-draft.ts'

/** Other people's changes that conflict with the edit. */
interface Clash {
  theirs: { content: GraphContent; version: number }
  /** The decisions made so far, and the remaining conflicts. */
  chosen: ReadonlyMap<string, Side>
  conflicts: Conflict[]
  /** The versions that contain the other changes, newest first. */
  saves: GraphVersion[]
}

/** The maximum number of attempts to save. Other people's changes are merged before each retry. */
const ATTEMPTS = 5

/** Edits the content of a graph. The browser keeps unsaved changes even if the user leaves the page. */
export function useEditing(graph: Graph, content: GraphContent, isPart: boolean) {
  const { login } = useAccount()
  const [history, setHistory] = useState<EditHistory>()
  const [clash, setClash] = useState<Clash>()
  const isAllowed = mayChange(graph) && !isPart
  const [restored, setRestored] = useState<GraphContent>()
  const isRestoring = useDraft(isAllowed ? login : undefined, graph, content, (history) => {
    setRestored(history.present)
    setHistory(history)
  })
  const changes = useMemo(() => history && changesBetween(history.stored, history.present), [history])
  const size = useMemo(() => (history && changes ? sizeOf(changes, history.stored) : 0), [history, changes])

  useEffect(() => {
    if (!history || !changes) return
    writeDraft(login, graph.id, size > 0 ? { version: history.version, changes } : undefined)
  }, [history, changes, size, login, graph.id])

  const save = useMutation({
    mutationFn: async ({
      message,
      from,
      placed
    }: {
      message: string
      from: EditHistory
      /** Adds the places of all nodes. */
      placed: (content: GraphContent) => GraphContent
    }) => {
      let history = from
      for (let attempt = 1; ; attempt++) {
        try {
          return await saveEdit(graph.id, history, message, placed)
        } catch (error) {
          if (!isProblem(error, 'version-conflict') || attempt === ATTEMPTS) throw error
        }
        const theirs = await fetchState(graph.id)
        const { content, conflicts } = merge(history.stored, theirs.content, history.present)
        if (conflicts.length > 0) {
          const range = { after: history.version, upTo: theirs.version }
          const saves = await fetchSaves(graph.id, range).catch(() => [])
          setClash({ theirs, chosen: new Map(), conflicts, saves })
          setHistory(history)
          return undefined
        }
        history = beginEdit(theirs.content, theirs.version, content)
      }
    },
    onSuccess: async (saved) => {
      if (!saved) return
      await refreshGraphs()
      // The query cache updates the page in a later task. Until then, the page has the content from before the edit.
      await new Promise((resolve) => setTimeout(resolve))
      end()
      notify({ message: text.edit.saved(graph.name) })
    }
  })

  function end() {
    writeDraft(login, graph.id, undefined)
    setHistory(undefined)
  }

  /** Changes the history, except during a save, which would miss the change. */
  function step(next: (history: EditHistory) => EditHistory) {
    if (history && !save.isPending) setHistory(next(history))
  }

  return {
    isPossible: isAllowed && !isRestoring,
    /** The history of the edit, or undefined if no edit is in progress. */
    history,
    /** Whether the content is being edited, and is not just a restored draft. */
    isChanging: history !== undefined && history.present !== restored,
    /** The number of changed elements. */
    size,
    content: history?.present ?? content,
    clash,
    save,
    begin: () => setHistory(beginEdit(content, graph.version)),
    /** Applies a change, and begins an edit if none is in progress. */
    beginWith: (next: GraphContent) => {
      if (!save.isPending) setHistory(edit(history ?? beginEdit(content, graph.version), next))
    },
    change: (next: GraphContent) => step((history) => edit(history, next)),
    undo: () => step(undo),
    redo: () => step(redo),
    discard: () => !save.isPending && end(),
    /**
     * Merges both sides as the user decided, so that the edit can be saved again. If `decisions` is undefined, only closes the
     * dialog.
     */
    decide: (decisions: Decisions | undefined) => {
      setClash(undefined)
      if (!clash || !history || !decisions) return
      const { theirs } = clash
      const { sides, content: present } = decided(clash.conflicts, decisions, history.present)
      const chosen = new Map([...clash.chosen, ...sides])
      const { content, conflicts } = merge(history.stored, theirs.content, present, chosen)
      // A decision may cause new conflicts, for example about the endpoint of an edge that was kept.
      if (conflicts.length > 0) {
        setClash({ ...clash, chosen, conflicts })
        if (present !== history.present) setHistory(edit(history, present))
      } else setHistory(beginEdit(theirs.content, theirs.version, content))
    }
  }
}

export type Editing = ReturnType<typeof useEditing>
