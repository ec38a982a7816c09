import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { text } from '../text/index.ts'
import { findNodes } from './find-nodes.ts'
import type { Network } from './network/network.ts'

/** A field that suggests nodes by label or id. */
export function Search({
  label = text.search.label,
  network,
  onFind
}: {
  label?: string
  network: Network
  onFind: (node: number) => void
}) {
  const [typed, setTyped] = useState('')
  const found = useMemo(() => findNodes(network, typed), [network, typed])
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
      size="xs"
      className="graph-search"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
