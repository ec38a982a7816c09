import { Button } from '@mantine/core'
import { IconCirclesRelation } from '@tabler/icons-react'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'
import { filtersOf } from './filters-of-view.ts'

/**
 * A button that shows only the neighbourhood of a node. If there is already a neighbourhood filter, the button moves it to this
 * node.
 */
export function NeighbourhoodButton({ node }: { node: number }) {
  const { view } = useGraphContext()
  const { filters, add, replace } = filtersOf(view)
  const around = view.network.nodes[node]?.id ?? ''
  const before = filters.find((filter) => 'around' in filter)
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconCirclesRelation size={16} aria-hidden />}
      disabled={before?.around === around}
      onClick={() => (before ? replace(before, { ...before, around }) : add({ around, depth: 1 }))}
    >
      {text.filter.showAround}
    </Button>
  )
}
