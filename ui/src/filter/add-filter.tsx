import { Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Ref } from 'react'
import { type Elements, type Filter, isBy, MOST_FILTERS } from '../../../picture/filter/filters.ts'
import { measureKey } from '../../../picture/measures/names.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'

/** Measures that are offered before they are computed. Adding a filter by such a measure computes it. */
const OFFERED = ['component', 'core'] as const

/** Adds a filter. A new filter hides nothing, unless it shows the neighbourhood of the selected node. */
export function AddFilter({
  ref,
  filters,
  onAdd
}: {
  ref: Ref<HTMLInputElement>
  filters: Filter[]
  onAdd: (filter: Filter) => void
}) {
  const { network, nodes, edges, selected } = useGraphContext().view
  const offered = [
    ...nodes,
    ...OFFERED.map((name) => ({ key: measureKey(name), title: text.measures.names[name], isComputed: true }))
  ].filter(({ key }, index, all) => all.findIndex((other) => other.key === key) === index)
  const itemsOf = (of: Elements, attributes: Pick<Attribute, 'key' | 'title'>[]) =>
    attributes
      .filter(({ key }) => !filters.some((filter) => isBy(filter, of, key)))
      .map(({ key, title }) => ({ value: `${of} ${key}`, label: title }))
  const stored = offered.filter(({ isComputed }) => !isComputed)
  const computed = offered.filter(({ isComputed }) => isComputed)

  const node = selected?.kind === 'node' ? network.nodes[selected.index] : undefined
  const others: Record<string, { label: string; filter: Filter }> = {
    text: { label: text.filter.text, filter: { text: '' } },
    around: { label: text.filter.around, filter: { around: node?.id ?? '', depth: 1 } }
  }
  const add = (value: string | null) => {
    if (value === null) return
    const [of, attribute] = [value.slice(0, 5), value.slice(6)]
    const other = others[value]
    if (other) onAdd(other.filter)
    else if (of === 'nodes' || of === 'edges') onAdd({ of, attribute, hidden: [] })
  }
  const groups = [
    { group: text.graph.nodes, items: itemsOf('nodes', stored) },
    { group: text.look.computed, items: itemsOf('nodes', computed) },
    { group: text.graph.edges, items: itemsOf('edges', edges) },
    {
      group: text.filter.other,
      items: Object.entries(others)
        .filter(([kind]) => !filters.some((filter) => kind in filter))
        .map(([value, { label }]) => ({ value, label }))
    }
  ].filter(({ items }) => items.length > 0)
  return (
    <Select
      ref={ref}
      label={text.filter.add}
      placeholder={text.filter.choose}
      leftSection={<IconPlus size={16} aria-hidden />}
      size="sm"
      data={groups}
      // Choosing an option immediately adds a filter, so the field stays empty.
      value={null}
      onChange={add}
      disabled={groups.length === 0 || filters.length >= MOST_FILTERS}
    />
  )
}
