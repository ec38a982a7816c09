import { notifications } from '@mantine/notifications'
import type { Filter } from '../../../picture/filter/filters.ts'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import { HIDDEN_NODES } from '../shared/notify.ts'

/** Returns the filters of the view, with functions to change them. */
export function filtersOf(view: Pick<GraphViewState, 'view' | 'change'>) {
  const filters = view.view.filters ?? []
  const set = (next: Filter[]) => {
    notifications.hide(HIDDEN_NODES)
    view.change({ filters: next.length > 0 ? next : undefined })
  }
  return {
    filters,
    set,
    add: (filter: Filter) => set([...filters, filter]),
    replace: (before: Filter, filter: Filter) => set(filters.map((other) => (other === before ? filter : other))),
    remove: (filter: Filter) => set(filters.filter((other) => other !== filter))
  }
}
