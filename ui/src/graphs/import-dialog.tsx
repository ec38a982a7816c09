import { Box, Group, Switch, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportTable } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { stemOf } from './file-headers.ts'
import { refreshGraphs } from './graphs.ts'
import { type Columns, importFile, inspectFile } from './import.ts'
import { FileItem } from './import-item.tsx'
import type { Item, TablePair } from './items.ts'
import { archiveOf, columnsOf, isSamePair, nameOfPair, pairOf } from './table-pair.ts'

let keys = 0

/** Imports graphs from files, after showing the contents, faults and losses of each. */
export function ImportDialog({ files, onClose }: { files: File[]; onClose: () => void }) {
  const [items, setItems] = useState<Item[]>([])
  const [shared, setShared] = useState(false)
  const [isJoining, setIsJoining] = useState(true)
  const pair = pairOf(items)
  const joint = pair && items.find(({ parts }) => parts && isSamePair(parts, pair))
  const shown = items.filter((item) => {
    if (item.parts) return item.graph !== undefined || (isJoining && item === joint)
    return !isJoining || (item.key !== pair?.nodes.key && item.key !== pair?.edges.key)
  })
  const ready = shown.filter(({ report, graph }) => report?.valid && !graph)
  const isDone = shown.some(({ graph }) => graph) && ready.length === 0

  const change = (key: number, changes: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)))

  async function inspect(item: Item, format: string | undefined, columns: Columns = {}, basis?: ImportTable['basis']) {
    const { key, file, table, parts } = item
    // Another choice meanwhile makes this report void; the columns are another object then.
    const settle = (changes: Partial<Item>) =>
      setItems((before) => before.map((item) => (item.columns === columns ? { ...item, ...changes } : item)))
    change(key, { report: undefined, error: undefined, table, format, columns, progress: 0 })
    try {
      const report = await inspectFile(file, format, columns, (progress) => settle({ progress }))
      // Another choice of columns keeps the name that the user may have written.
      const name = !table && !parts && { name: report.name ?? stemOf(file.name) }
      const read = report.table && { ...report.table, ...(basis && { basis }) }
      settle({ report, table: read ?? table, progress: 1, ...name })
    } catch (error) {
      settle({ error, progress: 1 })
    }
  }

  async function add(added: File[]) {
    const fresh = added.map((file) => ({ key: keys++, file, name: stemOf(file.name), progress: 0 }))
    setItems((before) => [...before, ...fresh])
    // One after another: files may be large, and the server reads them one by one.
    for (const item of fresh) await inspect(item, undefined)
  }

  async function join(parts: TablePair) {
    try {
      const item = { key: keys++, file: await archiveOf(parts), name: nameOfPair(parts), progress: 0, parts }
      setItems((before) => [...before, item])
      await inspect(item, undefined, columnsOf(parts), parts.edges.table.basis)
    } catch {
      // A file has changed or gone since it was chosen; its own entry shows that.
      setIsJoining(false)
    }
  }

  const joined = useRef<TablePair>(undefined)
  useEffect(() => {
    if (!isJoining || !pair || (joined.current && isSamePair(joined.current, pair))) return
    joined.current = pair
    join(pair)
  })

  const remove = ({ key, parts }: Pick<Item, 'key' | 'parts'>) => {
    const keys = [key, parts?.nodes.key, parts?.edges.key]
    setItems((before) => before.filter((item) => !keys.includes(item.key)))
  }

  async function importAll() {
    for (const { key, file, format, columns, name, parts } of ready) {
      try {
        change(key, { error: undefined, progress: 0 })
        const graph = await importFile(file, format, { ...columns, name, shared }, (progress) =>
          change(key, { progress })
        )
        change(key, { graph, progress: 1 })
        if (parts) for (const part of [parts.nodes, parts.edges]) remove({ key: part.key })
      } catch (error) {
        change(key, { error, progress: 1 })
      }
    }
    await refreshGraphs()
  }
  // A mutation, so that other tabs are told.
  const { mutate: submit, isPending: isImporting } = useMutation({ mutationFn: importAll })

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
      onSubmit={() => submit()}
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
      {pair && !joint?.graph && (
        <Switch
          label={text.import.join(pair.nodes.file.name, pair.edges.file.name)}
          description={text.import.joinHint}
          checked={isJoining}
          onChange={(event) => setIsJoining(event.currentTarget.checked)}
          disabled={isImporting}
        />
      )}
      {shown.map((item) => (
        <FileItem
          key={item.key}
          item={item}
          isDisabled={isImporting}
          onRename={(name) => change(item.key, { name })}
          onFormat={(format) => inspect({ ...item, table: undefined }, format)}
          onColumns={(columns) => inspect(item, item.format, columns)}
          onRemove={() => remove(item)}
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
