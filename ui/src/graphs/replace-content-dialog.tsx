import { Box, Divider, Text } from '@mantine/core'
import type { GraphRecord } from '../api.ts'
import { DiffList } from '../history/diff-list.tsx'
import { FormDialog } from '../shared/dialog.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { FileOrTableInput, useFileOrTable } from './file-or-table.tsx'
import { useComparison, useReplaceContent } from './graphs.ts'

/** Replaces the content of a graph with a file or pasted table, after showing the report and the differences. */
export default function ReplaceContentDialog({ graph, onClose }: { graph: GraphRecord; onClose: () => void }) {
  const source = useFileOrTable()
  const { file, choices, isPasting } = source
  const comparison = useComparison(graph.id, file, choices)
  const { report, diff, etag = '' } = comparison.data ?? {}
  const replace = useReplaceContent()
  const isEmpty = graph.nodeCount === 0 && graph.edgeCount === 0

  return (
    <FormDialog
      title={(isEmpty ? text.graphs.importTitle : text.graphs.replaceTitle)(graph.name)}
      submit={isEmpty ? text.graphs.importSubmit : text.graphs.replaceSubmit}
      action={replace}
      isDisabled={isPasting || !file || !diff || comparison.isFetching}
      size="lg"
      onSubmit={() => {
        if (!file) return
        replace.mutate(
          { id: graph.id, file, choices, etag, signal: source.beginSending() },
          {
            onSuccess: () => {
              notify({ message: (isEmpty ? text.graphs.imported : text.graphs.replaced)(graph.name) })
              onClose()
            },
            // Someone else may have changed the graph, so the differences may be out of date.
            onError: () => comparison.refetch()
          }
        )
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {isEmpty ? text.graphs.importHint : text.graphs.replaceHint}
      </Text>
      <FileOrTableInput
        value={source}
        report={report}
        table={report?.table}
        error={comparison.error}
        isReading={file !== undefined && comparison.isPending}
        isDisabled={replace.isPending}
      />
      {diff && (
        <>
          <Divider label={text.history.differences} />
          <Box mah={260} className="scrolling" tabIndex={0}>
            <DiffList diff={diff} />
          </Box>
        </>
      )}
    </FormDialog>
  )
}
