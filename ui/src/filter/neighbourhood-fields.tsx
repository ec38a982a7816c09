import { NumberInput, Text } from '@mantine/core'
import { DEEPEST } from '../../../picture/filter/address.ts'
import type { NeighbourhoodFilter } from '../../../picture/filter/filters.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import { nodeName } from '../graph/network/network.ts'
import { Search } from '../graph/search.tsx'
import { text } from '../text/index.ts'

/** Fields for choosing a node and the depth of its neighbourhood. */
export function NeighbourhoodFields({
  filter,
  onChange
}: {
  filter: NeighbourhoodFilter
  onChange: (filter: NeighbourhoodFilter) => void
}) {
  const { network, finder } = useGraphContext().view
  const node = network.indexOf.get(filter.around)
  const isChosen = filter.around !== ''
  const missing = isChosen ? text.filter.noSuchNode(filter.around) : text.filter.noNodeYet
  return (
    <>
      <Text size="sm" className="breakable">
        {node === undefined ? missing : text.filter.aroundNode(nodeName(network, node))}
      </Text>
      <Search
        label={isChosen ? text.filter.aroundOther : text.filter.chooseNode}
        finder={finder}
        onFind={(found) => onChange({ ...filter, around: network.nodes[found]?.id ?? '' })}
      />
      <NumberInput
        size="xs"
        label={text.filter.depth}
        description={text.filter.depthHint}
        min={0}
        max={DEEPEST}
        clampBehavior="strict"
        allowDecimal={false}
        value={filter.depth}
        onChange={(depth) => typeof depth === 'number' && onChange({ ...filter, depth })}
      />
    </>
  )
}
