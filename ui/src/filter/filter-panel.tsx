import { Button, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import type { Filter } from '../../../picture/filter/filters.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import { formatNumber, text } from '../text/index.ts'
import { AddFilter } from './add-filter.tsx'
import { FilterCard } from './filter-card.tsx'
import { filtersOf } from './filters-of-view.ts'
import { NewGraphButton } from './new-graph-button.tsx'

/** Shows the filters of the drawing and tables, and how many elements pass all of them. */
export function FilterPanel() {
  const { view, marks, tab, editing } = useGraphContext()
  const { network, visible } = view
  const { filters, set, add, replace, remove } = filtersOf(view)
  const adding = useRef<HTMLInputElement>(null)
  const names = filters.map(nameOf)
  return (
    <Stack gap="sm" component="section" aria-label={text.filter.title}>
      <Title order={2} size="h5">
        {text.filter.title}
      </Title>
      <Text size="sm" role="status">
        {text.filter.shown(
          formatNumber(visible.nodes),
          formatNumber(network.nodes.length),
          formatNumber(visible.edges),
          formatNumber(network.edges.length)
        )}
      </Text>
      {visible.nodes === 0 && <Text size="sm">{text.filter.nothingShown}</Text>}
      {filters.map((filter, index) => (
        <FilterCard
          // A URL may contain several filters on the same attribute.
          key={`${names.slice(0, index).filter((name) => name === names[index]).length} ${names[index]}`}
          filter={filter}
          onChange={(changed) => replace(filter, changed)}
          onRemove={() => {
            remove(filter)
            adding.current?.focus()
          }}
        />
      ))}
      <AddFilter ref={adding} filters={filters} onAdd={add} />
      {filters.length > 0 && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            set([])
            adding.current?.focus()
          }}
        >
          {text.filter.clear}
        </Button>
      )}
      {(tab === 'drawing' || (tab === 'nodes' && editing.history)) && (
        <Button variant="default" size="xs" disabled={visible.nodes === 0} onClick={() => marks.setShown(visible)}>
          {text.filter.selectShown(formatNumber(visible.nodes))}
        </Button>
      )}
      <NewGraphButton />
    </Stack>
  )
}

function nameOf(filter: Filter) {
  if ('attribute' in filter) return `${filter.of} ${filter.attribute}`
  return 'text' in filter ? 'text' : 'around'
}
