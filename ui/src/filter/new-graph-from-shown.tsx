import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Visibility } from '../../../picture/filter/visibility.ts'
import { api, take } from '../api.ts'
import { placedNodes } from '../graph/drawing/stage.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import { refreshGraphs } from '../graphs/graphs.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { shownContent } from './shown-content.ts'

/** The maximum length of a name, in characters. */
const LONGEST_NAME = 255

/** Creates a graph from the shown nodes and edges, with their drawn positions, and opens it. */
export function NewGraphFromShown({
  title = text.filter.newGraph,
  shown,
  onClose
}: {
  title?: string
  /** The elements to include. By default, all visible ones. */
  shown?: Visibility
  onClose: () => void
}) {
  const { graph, editing, view, layout } = useGraphContext()
  const visible = shown ?? view.visible
  const [, navigate] = useLocation()
  const [name, setName] = useState(() => text.filter.partOf(graph.name.slice(0, LONGEST_NAME - 10)))
  const create = useMutation({
    mutationFn: () => {
      const { content } = editing
      const { stage, isMoved } = layout
      // Before the first layout, positions are arbitrary.
      const nodes = stage.isStored || isMoved ? placedNodes(content.nodes, stage.positions) : content.nodes
      const body = { name, type: graph.type ?? null, shared: false, content: shownContent(content, nodes, visible) }
      return take(api.POST('/api/graphs', { body }))
    },
    onSuccess: async ({ id }) => {
      await refreshGraphs()
      navigate(`/graphs/${id}`)
    }
  })
  return (
    <FormDialog title={title} submit={text.create} action={create} onSubmit={() => create.mutate()} onClose={onClose}>
      <Text size="sm">{text.counts(visible.nodes, visible.edges)}</Text>
      <TextInput
        label={text.graph.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        disabled={create.isPending}
        required
        maxLength={LONGEST_NAME}
        data-autofocus
      />
    </FormDialog>
  )
}
