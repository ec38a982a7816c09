import { Divider, Progress, Switch, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { ColumnChoice } from './column-choice.tsx'
import { DescriptionFields } from './description-fields.tsx'
import { FileOrTableInput, useFileOrTable } from './file-or-table.tsx'
import { type Description, numberOf, useCreateGraph } from './graphs.ts'
import type { Columns } from './import.ts'
import { Report } from './import-report.tsx'
import { useReport } from './use-report.ts'

const nothing: Description = { name: '', key: '', type: '', description: '', tags: [] }
const guessed: Columns = {}

/** Creates a graph, empty or with content from a file or a pasted table of edges, whose report is shown before. */
export function NewGraphDialog({
  onClose,
  onCreated
}: {
  onClose: () => void
  onCreated: (graph: GraphRecord) => void
}) {
  const [value, setValue] = useState(nothing)
  const [shared, setShared] = useState(false)
  const source = useFileOrTable()
  const { file, isPasting } = source
  const [chosenColumns, setChosenColumns] = useState<{ of: File; columns: Columns }>()
  const columns = chosenColumns && chosenColumns.of === file ? chosenColumns.columns : guessed
  const { report, error, table } = useReport(file, columns)
  const create = useCreateGraph()
  const isReady = !isPasting && (file === undefined || report?.valid === true)

  const sending = useRef(new AbortController())
  useEffect(() => () => sending.current.abort(), [])

  return (
    <FormDialog
      title={text.graphs.create}
      submit={text.graphs.createSubmit}
      error={create.error}
      isPending={create.isPending}
      isDisabled={!isReady}
      size="lg"
      onSubmit={() => {
        sending.current = new AbortController()
        create.mutate({ ...value, shared, file, columns, signal: sending.current.signal }, { onSuccess: onCreated })
      }}
      onClose={onClose}
    >
      <DescriptionFields
        value={value}
        isDisabled={create.isPending}
        onChange={(changes) => setValue({ ...value, ...changes })}
      />
      <Switch
        label={text.graph.shared}
        description={text.graph.sharedHint}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
        disabled={create.isPending}
      />
      <Divider label={text.graphs.content} />
      <FileOrTableInput value={source} isDisabled={create.isPending} />
      {error != null && <FailureAlert error={error} />}
      {report && <Report report={report} />}
      {file && table && (
        <ColumnChoice
          key={numberOf(file)}
          table={table}
          isDisabled={create.isPending}
          onChoose={(columns) => setChosenColumns({ of: file, columns })}
        />
      )}
      {file && !report && error == null && <Progress value={100} animated aria-label={text.graphs.reading} />}
      {!file && (
        <Text size="sm" c="dimmed">
          {text.graphs.withoutContent}
        </Text>
      )}
    </FormDialog>
  )
}
