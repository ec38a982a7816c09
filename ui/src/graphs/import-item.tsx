import { ActionIcon, Anchor, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { FailureAlert } from '../shared/failure.tsx'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import { type Choices, type Columns, withColumns } from './choices.ts'
import { ColumnChoice } from './column-choice.tsx'
import { formats } from './formats.ts'
import { GroupPreview } from './group-preview.tsx'
import { Report } from './import-report.tsx'
import type { Item, Table } from './items.ts'
import { ReadingChoice } from './reading-choice.tsx'
import { TablePreview } from './table-preview.tsx'

/** Shows a file to import, with its report and the import options. */
export function FileItem({
  item: { key, file, format, choices = {}, progress = 1, report, table, sample, error, name, graph, parts },
  isDisabled,
  onRename,
  onFormat,
  onChoose,
  onRemove,
  onTakeOut,
  onColumns,
  children
}: {
  item: Item
  isDisabled: boolean
  onRename: (name: string) => void
  onFormat: (format: string | undefined) => void
  onChoose: (choices: Choices) => void
  onRemove: () => void
  /** Takes a table out of the group. */
  onTakeOut: (table: Table) => void
  /** Changes the columns of a table in the group. */
  onColumns: (table: Table, columns: Columns) => void
  /** Further fields, shown above the choice of columns. */
  children: ReactNode
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
          {report.valid && (
            <TextInput
              label={text.graph.name}
              value={name}
              onChange={(event) => onRename(event.currentTarget.value)}
              disabled={isDisabled}
              required
              maxLength={255}
              size="sm"
            />
          )}
        </>
      )}
      {!graph && children}
      {table && sample && !graph && (
        <TablePreview title={text.import.preview.rows} name={file.name} sample={sample} table={table} />
      )}
      {parts && !graph && (
        <GroupPreview parts={parts} isDisabled={isDisabled} onTakeOut={onTakeOut} onColumns={onColumns} />
      )}
      {table && !graph && (
        <ColumnChoice
          key={key}
          table={table}
          isDisabled={isDisabled}
          onChoose={(columns) => onChoose(withColumns(choices, columns))}
        />
      )}
      {!graph && error == null && (
        // The file of a group is empty until its tables are packed.
        <ReadingChoice
          report={report}
          choices={choices}
          isDisabled={isDisabled || file.size === 0}
          onChoose={onChoose}
        />
      )}
      {!graph && !parts && (report || error != null) && (
        <Select
          label={text.import.format}
          data={optionsOf(formats)}
          value={format ?? null}
          placeholder={text.import.detect}
          onChange={(value) => onFormat(value ?? undefined)}
          disabled={isDisabled}
          clearable
          clearButtonProps={{ 'aria-label': text.import.detect }}
          size="sm"
        />
      )}
    </Stack>
  )
}
