import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { GraphRecord } from '../api.ts'
import { ConfirmDialog } from '../shared/dialog.tsx'
import { notify, notifyFailure } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { useDeleteGraph, useRestoreTrashed } from './graphs.ts'

/** Moves a graph to the trash, then shows a notice with an undo button. */
export function DeleteGraphDialog({
  graph,
  onClose,
  onDeleted
}: {
  graph: GraphRecord
  onClose: () => void
  onDeleted?: (() => void) | undefined
}) {
  const remove = useDeleteGraph()
  const restore = useRestoreTrashed()
  const { id, name } = graph
  const notice = `deleted-${id}`
  const undo = () => {
    notifications.hide(notice)
    // The dialog may already be closed when the undo fails.
    restore.mutateAsync(graph).catch(notifyFailure)
  }
  return (
    <ConfirmDialog
      title={text.delete}
      question={text.graphs.deleteQuestion(name)}
      submit={text.graphs.deleteSubmit}
      action={remove}
      onClose={onClose}
      onSubmit={() =>
        remove.mutate(graph, {
          onSuccess: () => {
            notify({
              id: notice,
              message: (
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm">{text.graphs.deleted(name)}</Text>
                  <Button size="compact-sm" variant="default" className="fixed" onClick={undo}>
                    {text.undo}
                  </Button>
                </Group>
              ),
              autoClose: 10_000
            })
            onClose()
            onDeleted?.()
          }
        })
      }
    />
  )
}
