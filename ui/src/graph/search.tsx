import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { text } from '../text/index.ts'
import { type NodeFinder, optionsOf } from './find-nodes.ts'

/** A field that suggests nodes by label, id or attribute. */
export function Search({
  label = text.search.label,
  finder,
  onFind
}: {
  label?: string
  finder: NodeFinder
  onFind: (node: number) => void
}) {
  const [typed, setTyped] = useState('')
  const found = useMemo(() => optionsOf(finder.find(typed)), [finder, typed])
  return (
    <Autocomplete
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      data={[...found.keys()]}
      // The options are already filtered.
      filter={({ options }) => options}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={(option) => {
        const node = found.get(option)
        if (node !== undefined) onFind(node)
      }}
      selectFirstOptionOnChange
      onFocus={() => setTimeout(finder.prepare)}
      size="xs"
      className="graph-search"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
