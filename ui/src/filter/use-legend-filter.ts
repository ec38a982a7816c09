import { useMemo } from 'react'
import { type Elements, type Filter, isBy, type ValueFilter } from '../../../picture/filter/filters.ts'
import { type KindFilter, keyOf, kindsOf, shownBy, toggle } from '../../../picture/filter/kinds.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import { filtersOf } from './filters-of-view.ts'

/** Returns the filter for a legend's attribute, with functions to toggle values. */
export function useLegendFilter(view: GraphViewState, of: Elements, attribute: Attribute) {
  const { filters, set } = filtersOf(view)
  const count = view.network[of].length
  const { key } = attribute
  const own = filters.find((filter): filter is ValueFilter => isBy(filter, of, key) && isByKind(filter))
  const kinds = useMemo(() => kindsOf(attribute, count), [attribute, count])
  const present: KindFilter = own ?? { attribute: key, hidden: [] }
  const isShown = shownBy(present)
  const alone = own && theOnly(kinds.filter((kind) => isShown(kind.key)))?.key
  const put = (next: KindFilter | undefined) => {
    const others = filters.filter((filter) => filter !== own)
    if (!next || ('hidden' in next && next.hidden.length === 0)) set(others)
    else set(own ? filters.map((filter) => (filter === own ? { of, ...next } : filter)) : [...filters, { of, ...next }])
  }
  return {
    isShown: (value: string | undefined) => isShown(keyOf(value)),
    /** Returns whether the filter shows only this value. */
    isAlone: (value: string | undefined) => alone === keyOf(value),
    toggle: (value: string | undefined) => put(toggle(present, kinds, keyOf(value))),
    showOnly: (value: string | undefined) => put({ attribute: key, shown: [keyOf(value)] }),
    showAll: () => put(undefined)
  }
}

function isByKind(filter: Filter): boolean {
  return 'shown' in filter || 'hidden' in filter
}

function theOnly<T>(all: T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined
}
