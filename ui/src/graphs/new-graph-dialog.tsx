import { Divider, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { DescriptionFields } from './description-fields.tsx'
import { FileOrTableInput, useFileOrTable } from './file-or-table.tsx'
import { type Description, useCreateGraph } from './graphs.ts'
import { useReport } from './use-report.ts'

const nothing: Description = { name: '', key: '', type: '', description: '', tags: [] }

/** Creates an empty graph, or a graph from a file or pasted edge table after showing its report. */
export default function NewGraphDialog({
  onClose,
  onCreated
}: {
  onClose: () => void
  onCreated: (graph: GraphRecord) => void
}) {
  const [value, setValue] = useState(nothing)
  const [shared, setShared] = useState(false)
  const source = useFileOrTable()
  const { file, choices, isPasting } = source
  const { report, error, table } = useReport(file, choices)
  const create = useCreateGraph()
  const isReady = !isPasting && (file === undefined || report?.valid === true)

  return (
    <FormDialog
      title={text.graphs.create}
      submit={text.create}
      action={create}
      isDisabled={!isReady}
      size="lg"
      onSubmit={() =>
        create.mutate({ ...value, shared, file, choices, signal: source.beginSending() }, { onSuccess: onCreated })
      }
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
      <FileOrTableInput
        value={source}
        report={report}
        table={table}
        error={error}
        isReading={file !== undefined && !report && error == null}
        isDisabled={create.isPending}
      />
      {!file && (
        <Text size="sm" c="dimmed">
          {text.graphs.withoutContent}
        </Text>
      )}
    </FormDialog>
  )
}
