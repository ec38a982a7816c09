import type { Filter } from '../../../../picture/filter/filters.ts'
import { keyOf } from '../../../../picture/filter/kinds.ts'
import { filtersOf } from '../../filter/filters-of-view.ts'
import { HIDDEN_NODES, notify } from '../../shared/notify.ts'
import { useGraphContext } from '../graph-context.ts'
import { HiddenNotice } from './hidden-notice.tsx'

/** The maximum total length of the ids in a filter, in characters, because addresses contain filters. */
const LONGEST_FILTER = 6000

const isHiding = (filter: Filter) =>
  'attribute' in filter && filter.of === 'nodes' && filter.attribute === 'id' && 'hidden' in filter

/** Returns functions that show only some nodes, or hide them. Both offer to undo that. */
export function useNodeFilters(nodes: ReadonlySet<number>) {
  const { view, marks } = useGraphContext()
  const { filters, set } = filtersOf(view)
  const ids = Array.from(nodes, (node) => keyOf(view.network.nodes[node]?.id))
  const before = filters.find(isHiding)
  const hidden = before && 'hidden' in before ? [...new Set([...before.hidden, ...ids])] : ids
  const shown: Filter = { of: 'nodes', attribute: 'id', shown: ids }
  /** Replaces the filters, and offers to restore them and the selection. */
  const apply = (next: Filter[], count: number) => {
    const undo = () => {
      set(filters)
      marks.set(marks.marked)
    }
    set(next)
    notify({ id: HIDDEN_NODES, message: <HiddenNotice count={count} onUndo={undo} />, autoClose: 10_000 })
  }
  return {
    /** The filter that shows only these nodes. */
    shown,
    /** Whether the address of the page cannot hold the filter. */
    isTooLong: hidden.join('').length > LONGEST_FILTER,
    showOnly: () => apply([...filters, shown], view.network.nodes.length - nodes.size),
    /** Hides the nodes with one filter, and clears the selection. */
    hide: () => {
      const others = filters.filter((filter) => filter !== before)
      apply([...others, { of: 'nodes', attribute: 'id', hidden }], hidden.length)
      marks.clear()
    }
  }
}
