import { Box, Group, Switch, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { stemOf } from './file-headers.ts'
import { refreshGraphs } from './graphs.ts'
import { type Columns, importFile, inspectFile } from './import.ts'
import { FileItem, type Item } from './import-item.tsx'

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

  async function inspect({ key, file, table }: Item, format: string | undefined, columns: Columns = {}) {
    // Another choice meanwhile makes this report void; the columns are another object then.
    const settle = (changes: Partial<Item>) =>
      setItems((before) => before.map((item) => (item.columns === columns ? { ...item, ...changes } : item)))
    change(key, { report: undefined, error: undefined, table, format, columns, progress: 0 })
    try {
      const report = await inspectFile(file, format, columns, (progress) => settle({ progress }))
      // Another choice of columns keeps the name that the user may have written.
      const name = !table && { name: report.name ?? stemOf(file.name) }
      settle({ report, table: report.table ?? table, progress: 1, ...name })
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

  async function importAll() {
    setIsImporting(true)
    for (const { key, file, format, columns, name } of ready) {
      try {
        change(key, { error: undefined, progress: 0 })
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
          isDisabled={isImporting}
          onRename={(name) => change(item.key, { name })}
          onFormat={(format) => inspect({ ...item, table: undefined }, format)}
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
