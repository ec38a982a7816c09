import { Box, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportTable } from '../api.ts'
import { text } from '../text/index.ts'
import type { Columns } from './choices.ts'
import { columnName } from './table-columns.ts'

/**
 * Shows whether the rows of a table are nodes or edges, and which columns were chosen and why. Calls `onChoose` when the user
 * chooses different columns.
 */
export function ColumnChoice({
  table,
  isKindKnown = false,
  isDisabled = false,
  onChoose
}: {
  table: ImportTable
  /** Whether the user cannot choose what the rows are, as in a group. */
  isKindKnown?: boolean
  isDisabled?: boolean
  onChoose: (columns: Columns) => void
}) {
  const [rows, setRows] = useState<'edges' | 'nodes'>(table.kind === 'nodes' ? 'nodes' : 'edges')
  const [chosen, setChosen] = useState<Columns>({})
  const { sourceColumn = null, targetColumn = null, idColumn = null } = { ...table, ...chosen }
  const options = optionsOf(table.columns)
  const isPair = table.kind === 'edges' && table.sourceColumn !== undefined && table.idColumn !== undefined

  const choose = (columns: Columns) => {
    const others = {
      ...(sourceColumn !== null && { sourceColumn }),
      ...(targetColumn !== null && { targetColumn }),
      ...(idColumn !== null && { idColumn })
    }
    setChosen({ ...chosen, ...columns })
    onChoose(isPair ? { ...others, ...columns } : columns)
  }
  const chooseEnds = (source: string | null, target: string | null) => {
    if (source === null || target === null)
      setChosen({
        ...chosen,
        ...(source !== null && { sourceColumn: source }),
        ...(target !== null && { targetColumn: target })
      })
    else choose({ sourceColumn: source, targetColumn: target })
  }
  const chooseRows = (kind: string) => {
    setRows(kind === 'nodes' ? 'nodes' : 'edges')
    if (kind === 'nodes' && idColumn !== null) choose({ idColumn })
    if (kind === 'edges' && sourceColumn !== null && targetColumn !== null) choose({ sourceColumn, targetColumn })
  }

  const field = {
    data: options,
    placeholder: text.columns.choose,
    allowDeselect: false,
    disabled: isDisabled,
    size: 'sm'
  }
  return (
    <Box>
      {options.length > 1 && !isPair && !isKindKnown && (
        <SegmentedControl
          aria-label={text.columns.rows}
          data={[
            { value: 'edges', label: text.columns.areEdges },
            { value: 'nodes', label: text.columns.areNodes }
          ]}
          value={rows}
          onChange={chooseRows}
          disabled={isDisabled}
          size="xs"
          mb="xs"
        />
      )}
      {options.length > 1 && rows === 'edges' && (
        <Group grow align="flex-start">
          {/* Choosing the other endpoint's column swaps the two. */}
          <Select
            {...field}
            label={text.columns.source}
            value={sourceColumn}
            onChange={(column) => chooseEnds(column, column === targetColumn ? sourceColumn : targetColumn)}
          />
          <Select
            {...field}
            label={text.columns.target}
            value={targetColumn}
            onChange={(column) => chooseEnds(column === sourceColumn ? targetColumn : sourceColumn, column)}
          />
        </Group>
      )}
      {options.length > 1 && rows === 'nodes' && (
        <Select
          {...field}
          label={text.columns.id}
          value={idColumn}
          onChange={(column) => column !== null && choose({ idColumn: column })}
        />
      )}
      <Text size="sm" c="dimmed">
        {reasonOf(table, rows)}
      </Text>
    </Box>
  )
}

/** Explains why the columns of a table were chosen, given whether its rows are edges or nodes. */
function reasonOf({ kind, sourceColumn, idColumn, basis = 'choice' }: ImportTable, rows: 'edges' | 'nodes') {
  if (kind === 'matrix') return text.columns.matrix
  if (rows === 'nodes')
    return kind === 'nodes' && idColumn !== undefined ? text.columns.idBecause[basis] : text.columns.noId
  return kind === 'edges' && sourceColumn !== undefined ? text.columns.endsBecause[basis] : text.columns.noEnds
}

/** Returns the columns to choose from. */
function optionsOf(columns: readonly string[]) {
  return columns.map((name, index) => {
    const value = columnName(columns, index)
    return { value, label: value === name ? name : text.columns.again(name, index + 1) }
  })
}
