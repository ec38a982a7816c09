import { Box, Divider, Progress, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { DiffList } from '../history/diff-list.tsx'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert } from '../shared/failure.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { ColumnChoice } from './column-choice.tsx'
import { FileOrTableInput, useFileOrTable } from './file-or-table.tsx'
import { numberOf, useComparison, useReplaceContent } from './graphs.ts'
import type { Columns } from './import.ts'
import { Report } from './import-report.tsx'

const guessed: Columns = {}

/** Replaces the content of a graph by a file or a pasted table, whose report and differences are shown before. */
export function ReplaceContentDialog({ graph, onClose }: { graph: GraphRecord; onClose: () => void }) {
  const source = useFileOrTable()
  const { file, isPasting } = source
  const [chosenColumns, setChosenColumns] = useState<{ of: File; columns: Columns }>()
  const columns = chosenColumns && chosenColumns.of === file ? chosenColumns.columns : guessed
  const comparison = useComparison(graph.id, file, columns)
  const { report, diff, etag = '' } = comparison.data ?? {}
  const replace = useReplaceContent()

  const sending = useRef(new AbortController())
  useEffect(() => () => sending.current.abort(), [])

  return (
    <FormDialog
      title={text.graphs.replaceTitle(graph.name)}
      submit={text.graphs.replaceSubmit}
      error={replace.error}
      isPending={replace.isPending}
      isDisabled={isPasting || !file || !diff || comparison.isFetching}
      size="lg"
      onSubmit={() => {
        if (!file) return
        sending.current = new AbortController()
        replace.mutate(
          { id: graph.id, file, columns, etag, signal: sending.current.signal },
          {
            onSuccess: () => {
              notify({ message: text.graphs.replaced(graph.name) })
              onClose()
            },
            // Somebody may have changed the graph: the differences are others now.
            onError: () => comparison.refetch()
          }
        )
      }}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {text.graphs.replaceHint}
      </Text>
      <FileOrTableInput value={source} isDisabled={replace.isPending} />
      {comparison.error != null && <FailureAlert error={comparison.error} />}
      {report && <Report report={report} />}
      {file && report?.table && (
        <ColumnChoice
          key={numberOf(file)}
          table={report.table}
          isDisabled={replace.isPending}
          onChoose={(columns) => setChosenColumns({ of: file, columns })}
        />
      )}
      {file && comparison.isPending && <Progress value={100} animated aria-label={text.graphs.reading} />}
      {diff && (
        <>
          <Divider label={text.diff.title} />
          <Box mah={260} className="scrolling" tabIndex={0}>
            <DiffList diff={diff} />
          </Box>
        </>
      )}
    </FormDialog>
  )
}
