import { ActionIcon, Anchor, Box, Group, Progress, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconCheck, IconFileImport, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { GraphRecord, ImportReport } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { stemOf } from './file-headers.ts'
import { importFormats } from './formats.ts'
import { refreshGraphs } from './graphs.ts'
import { type Columns, importFile, inspectFile } from './import.ts'
import { Report } from './import-report.tsx'

/** A file to import. */
interface Item {
  key: number
  file: File
  format?: string
  /** The columns of a table that the user chose as ends of edges. */
  columns?: Columns
  /** The uploaded fraction of the file, from 0 to 1. */
  progress?: number
  report?: ImportReport
  error?: unknown
  name: string
  graph?: GraphRecord
}

let keys = 0

/** Imports graphs from files, after showing the contents, faults and losses of each. */
export function ImportDialog({ files, onClose }: { files: File[]; onClose: () => void }) {
  const [items, setItems] = useState<Item[]>([])
  const [shared, setShared] = useState(false)
  const [isImporting, setIsImporting] = useState(false)
  const ready = items.filter(({ report, graph }) => report?.valid && !graph)
  const isDone = items.some(({ graph }) => graph) && ready.length === 0

  const change = (key: number, changes: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)))

  async function inspect({ key, file }: Item, format?: string, columns: Columns = {}) {
    const nothing = { report: undefined, error: undefined } as unknown as Item
    change(key, { ...nothing, ...(format && { format }), columns, progress: 0 })
    try {
      const report = await inspectFile(file, format, columns, (progress) => change(key, { progress }))
      change(key, { report, progress: 1, name: report.name ?? stemOf(file.name) })
    } catch (error) {
      change(key, { error, progress: 1 })
    }
  }

  async function add(added: File[]) {
    const fresh = added.map((file) => ({ key: keys++, file, name: stemOf(file.name), progress: 0 }))
    setItems((before) => [...before, ...fresh])
    // One after another: files may be large, and the server reads them one by one.
    for (const item of fresh) await inspect(item)
  }

  async function importAll() {
    setIsImporting(true)
    for (const { key, file, format, columns, name } of ready) {
      try {
        change(key, { progress: 0 })
        const graph = await importFile(file, format, { ...columns, name, shared }, (progress) =>
          change(key, { progress })
        )
        change(key, { graph, progress: 1 })
      } catch (error) {
        change(key, { error, progress: 1 })
      }
    }
    setIsImporting(false)
    await refreshGraphs()
  }

  const isStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the dialog was opened with, once
  useEffect(() => {
    if (!isStarted.current) add(files)
    isStarted.current = true
  }, [])

  return (
    <FormDialog
      title={text.import.title}
      size="lg"
      submit={isDone ? undefined : text.import.submit(ready.length)}
      isPending={isImporting}
      isDisabled={ready.length === 0}
      onSubmit={importAll}
      onClose={onClose}
    >
      {!isDone && (
        <Dropzone onDrop={add} inputProps={{ 'aria-label': text.import.choose }} p="lg">
          <Group justify="center" gap="sm" className="dropzone">
            <IconFileImport size={28} aria-hidden />
            <Box>
              <Text fw={600}>{text.import.choose}</Text>
              <Text size="sm" c="dimmed">
                {text.import.hint}
              </Text>
            </Box>
          </Group>
        </Dropzone>
      )}
      {items.map((item) => (
        <FileItem
          key={item.key}
          item={item}
          onRename={(name) => change(item.key, { name })}
          onFormat={(format) => inspect(item, format)}
          onColumns={(columns) => inspect(item, item.format, columns)}
          onRemove={() => setItems(items.filter(({ key }) => key !== item.key))}
        />
      ))}
      {ready.length > 0 && (
        <Switch
          label={text.graph.shared}
          description={text.graph.sharedHint}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}

function FileItem({
  item: { file, format, progress = 1, report, error, name, graph },
  onRename,
  onFormat,
  onColumns,
  onRemove
}: {
  item: Item
  onRename: (name: string) => void
  onFormat: (format: string | undefined) => void
  onColumns: (columns: Columns) => void
  onRemove: () => void
}) {
  return (
    <Stack gap="xs" className="import-file" data-file={file.name}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} className="breakable">
          {file.name}
        </Text>
        {graph ? (
          <IconCheck size={18} aria-label={text.import.done} className="added" />
        ) : (
          <ActionIcon variant="subtle" color="gray" aria-label={text.import.remove(file.name)} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {progress < 1 && <Progress value={progress * 100} animated aria-label={text.import.progress(file.name)} />}
      {!report && !error && progress === 1 && (
        <Progress value={100} animated aria-label={text.import.progress(file.name)} />
      )}
      {error != null && <FailureAlert error={error} />}
      {graph && (
        <Anchor component={Link} href={`/graphs/${graph.id}`} className="breakable">
          {text.import.show(graph.name)}
        </Anchor>
      )}
      {report && !graph && (
        <>
          <Report report={report} />
          {report.table && <ColumnChoice key={file.name} table={report.table} onChoose={onColumns} />}
          {report.valid && (
            <TextInput
              label={text.graph.name}
              value={name}
              onChange={(event) => onRename(event.currentTarget.value)}
              required
              maxLength={255}
              size="sm"
            />
          )}
        </>
      )}
      {!graph && (report || error != null) && (
        <Select
          label={text.import.format}
          data={Object.entries(importFormats).map(([value, label]) => ({ value, label }))}
          value={format ?? null}
          placeholder={text.import.detect}
          onChange={(value) => onFormat(value ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': text.import.detect }}
          size="sm"
        />
      )}
    </Stack>
  )
}

/** The columns of a table that are the ends of edges. Another choice has the file read again. */
function ColumnChoice({
  table: { kind, columns, sourceColumn, targetColumn, basis },
  onChoose
}: {
  table: NonNullable<ImportReport['table']>
  onChoose: (columns: Columns) => void
}) {
  const [source, setSource] = useState(sourceColumn ?? null)
  const [target, setTarget] = useState(targetColumn ?? null)
  const data = [...new Set(columns)]
  if (data.length < 2) return null
  const choose = (from: string | null, to: string | null) => {
    setSource(from)
    setTarget(to)
    if (from !== null && to !== null && from !== to) onChoose({ sourceColumn: from, targetColumn: to })
  }
  return (
    <Box>
      <Group grow align="flex-start">
        <Select
          label={text.import.sourceColumn}
          data={data}
          value={source}
          placeholder={text.import.chooseColumn}
          onChange={(column) => choose(column, target)}
          allowDeselect={false}
          size="sm"
        />
        <Select
          label={text.import.targetColumn}
          data={data}
          value={target}
          placeholder={text.import.chooseColumn}
          onChange={(column) => choose(source, column)}
          allowDeselect={false}
          size="sm"
        />
      </Group>
      <Text size="sm" c="dimmed">
        {sourceColumn !== undefined && basis ? text.import.columnsBecause[basis] : text.import.withoutEnds[kind]}
      </Text>
    </Box>
  )
}
