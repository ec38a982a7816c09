import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type GraphRecord, isProblem, take } from '../api.ts'
import type { Side } from '../shared/side.ts'
import { type Description, patchGraph, refreshGraphs } from './graphs.ts'
import { changesOf, type Field, isEqual, mergeOf } from './merge.ts'

/** A field that someone else has changed, and the side that the user chose. */
interface Difference {
  field: Field
  theirs: Description[Field]
  yours: Description[Field]
  choice: Side | null
}

/**
 * Returns the state of an edit of a graph's name, key, type, description and tags. Saving sends only the changed fields. If
 * someone else has changed the graph, nothing is saved, and `differences` contains the fields that both sides changed
 * differently.
 */
export function useEditGraph(graph: GraphRecord) {
  // The graph as it was when the edit began, even if the graph is refetched.
  const [before, setBefore] = useState(graph)
  const [value, setValue] = useState(() => descriptionOf(graph))
  const [differences, setDifferences] = useState<Difference[]>()
  const save = useMutation({
    /** Returns whether the changes were saved. */
    mutationFn: async () => {
      const changes = changesOf(descriptionOf(before), value)
      if (Object.keys(changes).length === 0) return true
      try {
        await patchGraph({ graph: before, changes })
        return true
      } catch (error) {
        if (!isProblem(error, 'version-conflict')) throw error
        const theirs = await take(api.GET('/api/graphs/{id}', { params: { path: { id: before.id } } }))
        compareWith(theirs)
        return false
      }
    },
    onSettled: refreshGraphs
  })

  function compareWith(graph: GraphRecord) {
    const theirs = descriptionOf(graph)
    const merged = mergeOf(descriptionOf(before), theirs, value)
    setBefore(graph)
    setValue(merged.value)
    setDifferences(
      merged.differing.map((field) => ({
        field,
        theirs: theirs[field],
        yours: value[field],
        choice: isEqual(merged.value[field], theirs[field]) ? 'theirs' : null
      }))
    )
  }

  return {
    value,
    save,
    differences,
    /** Changes form fields. Typing a value resolves the field's difference. */
    change: (changes: Partial<Description>) => {
      setValue({ ...value, ...changes })
      setDifferences(differences?.filter(({ field }) => changes[field] === undefined))
    },
    choose: (chosen: Difference, choice: Side) => {
      setValue({ ...value, [chosen.field]: chosen[choice] })
      setDifferences(differences?.map((one) => (one === chosen ? { ...one, choice } : one)))
    }
  }
}

export type GraphEdit = ReturnType<typeof useEditGraph>

function descriptionOf({ name, key = '', type = '', description = '', tags = [] }: GraphRecord): Description {
  return { name, key, type, description, tags }
}
