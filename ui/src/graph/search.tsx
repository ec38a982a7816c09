import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { text } from '../text/index.ts'
import type { Network } from './network/network.ts'

/** The maximum number of suggestions. */
const SUGGESTIONS = 12

/** A field that suggests nodes by display name, label or id. */
export function Search({
  label = text.search.label,
  network,
  labelOf,
  onFind
}: {
  label?: string
  network: Network
  labelOf: (node: number) => string
  onFind: (node: number) => void
}) {
  const [typed, setTyped] = useState('')
  const found = useMemo(() => findNodes(network, labelOf, typed), [network, labelOf, typed])
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

/**
 * Returns the nodes whose display name, label or id contains the text, by unique name. Names that begin with the text come
 * first.
 */
export function findNodes({ nodes }: Network, labelOf: (node: number) => string, typed: string): Map<string, number> {
  const sought = typed.trim().toLowerCase()
  const [beginning, containing]: [number[], number[]] = [[], []]
  if (sought === '') return new Map()
  nodes.forEach(({ id, label = '' }, index) => {
    const names = [labelOf(index), label, id].map((name) => name.toLowerCase())
    if (names.some((name) => name.startsWith(sought))) beginning.push(index)
    else if (containing.length < SUGGESTIONS && names.some((name) => name.includes(sought))) containing.push(index)
  })
  const shortest = beginning.sort((a, b) => labelOf(a).length - labelOf(b).length)
  return new Map(
    [...shortest, ...containing].slice(0, SUGGESTIONS).map((index) => {
      const [name, id] = [labelOf(index), nodes[index]?.id ?? '']
      return [name === id ? name : `${name} (${id})`, index]
    })
  )
}
