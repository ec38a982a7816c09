import { Autocomplete } from '@mantine/core'
import { type Ref, useEffect, useMemo, useState } from 'react'
import { type NodeFinder, optionsOf } from '../graph/find-nodes.ts'
import { type Network, nodeName } from '../graph/network/network.ts'

/** A field for choosing a node by name or attribute, with suggestions. */
export function NodePicker({
  label,
  network,
  finder,
  node,
  onChoose,
  ref
}: {
  label: string
  network: Network
  finder: NodeFinder
  node: number | undefined
  onChoose: (node: number | undefined) => void
  ref?: Ref<HTMLInputElement>
}) {
  const [typed, setTyped] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets when the node changes
  useEffect(() => setTyped(undefined), [node])
  const found = useMemo(() => optionsOf(finder.find(typed ?? '')), [finder, typed])
  return (
    <Autocomplete
      ref={ref}
      label={label}
      size="sm"
      data={[...found.keys()]}
      // The options are already filtered.
      filter={({ options }) => options}
      value={typed ?? (node === undefined ? '' : nodeName(network, node))}
      onChange={(value) => {
        setTyped(value)
        if (value === '') onChoose(undefined)
      }}
      onOptionSubmit={(option) => onChoose(found.get(option))}
      onFocus={() => setTimeout(finder.prepare)}
      selectFirstOptionOnChange
    />
  )
}
