import { Autocomplete } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { text } from '../text/index.ts'
import { type Network, nameOf } from './network.ts'

/** So many are suggested. */
const SUGGESTIONS = 12

/** Finds a node by its label or id, with suggestions. */
export function Search({ network, onFind }: { network: Network; onFind: (node: number) => void }) {
  const [typed, setTyped] = useState('')
  const found = useMemo(() => findNodes(network, typed), [network, typed])
  return (
    <Autocomplete
      aria-label={text.search.label}
      placeholder={text.search.label}
      leftSection={<IconSearch size={16} aria-hidden />}
      data={[...found.keys()]}
      // They are found already.
      filter={({ options }) => options}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={(option) => {
        const node = found.get(option)
        if (node !== undefined) onFind(node)
      }}
      selectFirstOptionOnChange
      size="xs"
      w={220}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}

/** The nodes whose label or id has the text, those that begin with it first: by what distinguishes them. */
function findNodes(network: Network, typed: string): Map<string, number> {
  const sought = typed.trim().toLowerCase()
  const [beginning, containing]: [number[], number[]] = [[], []]
  if (sought === '') return new Map()
  network.nodes.forEach((node, index) => {
    const [label, id] = [node.label?.toLowerCase(), node.id.toLowerCase()]
    if (label?.startsWith(sought) || id.startsWith(sought)) beginning.push(index)
    else if (containing.length < SUGGESTIONS && (label?.includes(sought) || id.includes(sought))) containing.push(index)
  })
  const shortest = beginning.sort((a, b) => lengthOf(network, a) - lengthOf(network, b))
  return new Map(
    [...shortest, ...containing].slice(0, SUGGESTIONS).map((index) => {
      const node = network.nodes[index] as Network['nodes'][number]
      const name = nameOf(node)
      return [name === node.id ? name : `${name} (${node.id})`, index]
    })
  )
}

function lengthOf({ nodes }: Network, index: number) {
  return nameOf(nodes[index] as Network['nodes'][number]).length
}
