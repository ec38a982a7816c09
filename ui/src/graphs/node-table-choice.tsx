import { Select } from '@mantine/core'
import { text } from '../text/index.ts'
import type { Table } from './items.ts'

const NONE = 'none'

/** Chooses the node table to combine with an edge table, or none. Shows nothing if there is no other table. */
export function NodeTableChoice({
  tables,
  chosen,
  isDisabled,
  onChoose
}: {
  tables: Table[]
  chosen: Table | undefined
  isDisabled: boolean
  onChoose: (nodes: Table | undefined) => void
}) {
  if (tables.length === 0) return null
  return (
    <Select
      label={text.import.nodeTable}
      description={text.import.nodeTableHint}
      data={[
        { value: NONE, label: text.import.noNodeTable },
        ...tables.map(({ key, file }) => ({ value: String(key), label: file.name }))
      ]}
      value={chosen ? String(chosen.key) : NONE}
      onChange={(value) => onChoose(tables.find(({ key }) => String(key) === value))}
      allowDeselect={false}
      disabled={isDisabled}
      size="sm"
    />
  )
}
