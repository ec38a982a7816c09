import { Button } from '@mantine/core'
import { IconCirclesRelation } from '@tabler/icons-react'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'
import { filtersOf } from './filters-of-view.ts'

/**
 * Returns a function that shows only the neighbourhood of the node with this id. If there is already a neighbourhood filter, it
 * is moved to this node.
 */
export function useShowAround() {
  const { filters, add, replace } = filtersOf(useGraphContext().view)
  const before = filters.find((filter) => 'around' in filter)
  return (around: string) => (before ? replace(before, { ...before, around }) : add({ around, depth: 1 }))
}

/** A button that shows only the neighbourhood of a node. */
export function NeighbourhoodButton({ node }: { node: number }) {
  const { view } = useGraphContext()
  const showAround = useShowAround()
  const around = view.network.nodes[node]?.id ?? ''
  const before = filtersOf(view).filters.find((filter) => 'around' in filter)
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconCirclesRelation size={16} aria-hidden />}
      disabled={before?.around === around}
      onClick={() => showAround(around)}
    >
      {text.filter.showAround}
    </Button>
  )
}
