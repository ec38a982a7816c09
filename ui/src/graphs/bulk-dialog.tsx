import { List, Progress, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type GraphRecord, Problem } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { messageOf } from '../shared/failure.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { BulkLimit, bulkRun } from './bulk-actions.ts'
import { type BulkKind, isPermitted } from './bulk-kinds.ts'
import { exportFormats, type MediaType, mediaTypes } from './formats.ts'
import { refreshGraphs } from './graphs.ts'
import { TagsFormField } from './tags-field.tsx'

interface Failure {
  graph: GraphRecord
  reason: string
}

/** Performs an action on graphs, one after another. `onSelect` selects the graphs on which it was not performed. */
export default function BulkDialog({
  kind,
  graphs,
  onSelect,
  onClose
}: {
  kind: BulkKind
  graphs: GraphRecord[]
  onSelect: (ids: number[]) => void
  onClose: () => void
}) {
  const [tags, setTags] = useState<string[]>([])
  const [mediaType, setMediaType] = useState<MediaType>('application/vnd.jgf+json')
  const [done, setDone] = useState(0)
  const [failures, setFailures] = useState<Failure[]>([])
  const isClosed = useRef(false)
  // In strict mode, effects run twice.
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])

  const permitted = graphs.filter(isPermitted[kind])
  const others = graphs.filter((graph) => !isPermitted[kind](graph))
  const hasTags = kind === 'addTags' || kind === 'removeTags'

  const run = useMutation({
    meta: { isRead: kind === 'download' },
    mutationFn: async () => {
      const { apply, finish } = bulkRun(kind, { tags, mediaType })
      const failed: Failure[] = []
      const left = new Set(graphs.map(({ id }) => id))
      setFailures([])
      try {
        for (const [index, graph] of permitted.entries()) {
          // Closing the dialog stops after the current graph.
          if (isClosed.current) break
          setDone(index)
          try {
            await apply(graph)
            left.delete(graph.id)
          } catch (error) {
            // The session has ended.
            if (error instanceof Problem && error.status === 401) throw error
            failed.push({ graph, reason: error instanceof BulkLimit ? error.message : messageOf(error) })
          }
        }
        await finish?.()
      } finally {
        const count = graphs.length - left.size
        if (count > 0) notify({ message: text.bulk.done[kind](count) })
        onSelect([...left])
        await refreshGraphs()
      }
      setFailures(failed)
      if (failed.length === 0) onClose()
    }
  })

  return (
    <FormDialog
      title={text.bulk.actions[kind]}
      submit={failures.length > 0 ? text.failure.retry : text.bulk.submit[kind]}
      action={run}
      isDisabled={permitted.length === 0 || (hasTags && tags.length === 0)}
      isDanger={kind === 'delete'}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <Text>{text.bulk.question[kind](permitted.length)}</Text>
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          {text.bulk.notPermitted(others.map(({ name }) => name))}
        </Text>
      )}
      {hasTags && (
        <TagsFormField
          label={text.graph.tags}
          value={tags}
          onChange={setTags}
          data-autofocus
          // The suggestions must not cover the buttons below.
          comboboxProps={{ position: 'top', middlewares: { flip: false } }}
          maxDropdownHeight={100}
        />
      )}
      {kind === 'download' && (
        <Select
          label={text.bulk.format}
          data={mediaTypes.map((value) => ({ value, label: exportFormats[value] }))}
          value={mediaType}
          onChange={(value) => value && setMediaType(value as MediaType)}
          allowDeselect={false}
        />
      )}
      {run.isPending && (
        <Stack gap={4}>
          <Progress value={(100 * done) / permitted.length} aria-label={text.bulk.progress} />
          <Text size="sm" role="status">
            {text.bulk.progressOf(done, permitted.length)}
          </Text>
        </Stack>
      )}
      {failures.length > 0 && (
        <div role="alert">
          <Text fw={600}>{text.bulk.failed(failures.length)}</Text>
          <List size="sm" className="breakable">
            {failures.map(({ graph, reason }) => (
              <List.Item key={graph.id}>
                <b>{graph.name}</b>: {reason}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </FormDialog>
  )
}
