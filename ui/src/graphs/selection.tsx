import { Button, Group, Menu, Paper, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'
import type { Column } from '../shared/records.tsx'
import { text } from '../text/index.ts'
import { type BulkKind, bulkKinds, isPermitted } from './bulk-kinds.ts'

const BulkDialog = lazyComponent('bulk', () => import('./bulk-dialog.tsx'))

/** The graphs selected on the current page of the list. */
export interface Selection {
  graphs: GraphRecord[]
  select: (ids: number[]) => void
}

/** Returns the selection among these rows. Another page, order or filter of the list, given by `place`, has its own selection. */
export function useSelection(rows: GraphRecord[], place: string): Selection {
  const [chosen, setChosen] = useState<{ place: string; ids: number[] }>()
  const ids = chosen?.place === place ? chosen.ids : []
  return {
    graphs: rows.filter(({ id }) => ids.includes(id)),
    select: (ids) => setChosen({ place, ids })
  }
}

/** Returns the column with the checkboxes. */
export function selectionColumn(rows: GraphRecord[], { graphs, select }: Selection): Column<GraphRecord> {
  const ids = graphs.map(({ id }) => id)
  return {
    key: 'selection',
    title: text.bulk.select,
    isNarrow: true,
    head: (
      <input
        type="checkbox"
        className="row-choice"
        aria-label={text.bulk.selectAll}
        checked={ids.length === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = ids.length > 0 && ids.length < rows.length
        }}
        onChange={({ currentTarget: { checked } }) => select(checked ? rows.map(({ id }) => id) : [])}
      />
    ),
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        className="row-choice"
        aria-label={text.bulk.selectOne(name)}
        checked={ids.includes(id)}
        onChange={({ currentTarget: { checked } }) =>
          select(checked ? [...ids, id] : ids.filter((other) => other !== id))
        }
      />
    )
  }
}

/** The actions for the selected graphs. It stays at the bottom of the window, so that the rows do not move. */
export function SelectionBar({ graphs, select }: Selection) {
  const [kind, setKind] = useState<BulkKind>()
  return (
    <>
      {graphs.length > 0 && (
        <Paper withBorder shadow="md" p="xs" className="selected-graphs">
          <Group gap="sm">
            <Text size="sm" fw={600} role="status">
              {text.bulk.selected(graphs.length)}
            </Text>
            <Menu position="top-start">
              <Menu.Target>
                <Button size="xs" rightSection={<IconChevronDown size={14} aria-hidden />}>
                  {text.actions}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {bulkKinds.map((kind) => (
                  <Menu.Item
                    key={kind}
                    disabled={!graphs.some(isPermitted[kind])}
                    {...(kind === 'delete' && { color: 'var(--mantine-color-error)' })}
                    onClick={() => setKind(kind)}
                  >
                    {text.bulk.actions[kind]}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Button size="xs" variant="default" onClick={() => select([])}>
              {text.bulk.clear}
            </Button>
          </Group>
        </Paper>
      )}
      {kind && <BulkDialog kind={kind} graphs={graphs} onSelect={select} onClose={() => setKind(undefined)} />}
    </>
  )
}
