import { Box, Group, Switch, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { withColumns } from './choices.ts'
import { FileItem } from './import-item.tsx'
import type { Item } from './items.ts'
import { PartnerChoice } from './partner-choice.tsx'
import { groupOf, groupWithColumns, partnersOf } from './table-groups.ts'
import { isReady, useImport, useImportItems } from './use-import-items.ts'

/**
 * Imports graphs from files. First shows the contents and errors of each file, and what the import would lose. Opens the graph
 * if there is only one file.
 */
export default function ImportDialog({ files, onClose }: { files: File[]; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [shared, setShared] = useState(false)
  const items = useImportItems(files)
  const { shown, add, inspect, join, takeOut, change, remove } = items
  const importing = useImport(items)
  const { mutate: submit, isPending: isImporting } = importing
  const ready = shown.filter(isReady)
  const isDone = shown.some(({ graph }) => graph) && ready.length === 0

  function combine(item: Item, partner: Item) {
    const group = groupOf(item, partner)
    if (group) join(group, partner)
  }

  function importAll() {
    const isSingle = shown.length === 1
    submit(shared, {
      onSuccess: ([graph]) => {
        if (!isSingle || !graph) return
        onClose()
        navigate(`/graphs/${graph.id}`)
      }
    })
  }

  return (
    <FormDialog
      title={text.import.title}
      size="lg"
      submit={isDone ? undefined : text.import.submit(ready.length)}
      action={importing}
      isDisabled={ready.length === 0}
      onSubmit={importAll}
      onClose={onClose}
    >
      {!isDone && (
        <Dropzone onDrop={add} inputProps={{ 'aria-label': text.import.choose }} p="lg">
          <Group justify="center" gap="sm">
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
      {shown.map((item) => (
        <FileItem
          key={item.key}
          item={item}
          isDisabled={isImporting}
          onRename={(name) => change(item.key, { name })}
          onFormat={(format) => inspect({ ...item, table: undefined }, format, withColumns(item.choices ?? {}, {}))}
          onChoose={(choices) => inspect(item, item.format, choices)}
          onRemove={() => remove(item)}
          onTakeOut={(table) => takeOut(item, table)}
          onColumns={(table, columns) => item.parts && join(groupWithColumns(item.parts, table, columns), item)}
        >
          <PartnerChoice
            partners={partnersOf(items.items, item)}
            isDisabled={isImporting}
            onChoose={(partner) => combine(item, partner)}
          />
        </FileItem>
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
