import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useSearch } from 'wouter'
import type { GraphRecord, Link, LinkPatch } from '../api.ts'
import { viewOfQuery } from '../graph/view/style-address.ts'
import { text } from '../text/index.ts'
import { useSavedViews } from '../views/saved-views.ts'
import { useShownQuery } from '../views/shown-query.ts'

/** A choice of view: the default view, the view on the screen, the link's own view, or a saved view as `view:` and its name. */
export type ChosenView = 'default' | 'screen' | 'own' | `view:${string}`

/** Returns the choice that stands for a link's view. */
export function chosenOf(view: Link['view']): ChosenView {
  return view === undefined ? 'default' : typeof view === 'string' ? `view:${view}` : 'own'
}

/**
 * Manages the view of a link in a form. A new link shows the view on the screen if that is not the usual one. `patch` changes the
 * link to the chosen view.
 */
export function useLinkView(link: Link | undefined) {
  const [shown] = useState(useShownQuery())
  const isUsual = useSearch() === '' || link !== undefined || shown === undefined
  const [value, setValue] = useState<ChosenView>(isUsual ? chosenOf(link?.view) : 'screen')
  const others = [
    ...(shown === undefined ? [] : ['screen' as const]),
    ...(chosenOf(link?.view) === 'own' ? ['own' as const] : [])
  ]
  const patch: Pick<LinkPatch, 'view'> = value === 'own' ? {} : { view: viewOf(value, shown) }
  return { field: { others, value, onChange: setValue }, patch }
}

/** Returns the view that a link should show. `shown` is the query of the view on the screen. */
function viewOf(view: ChosenView, shown: string | undefined): LinkPatch['view'] {
  if (view === 'screen') return viewOfQuery(shown ?? '')
  return view.startsWith('view:') ? view.slice('view:'.length) : null
}

/** Names the view that a link shows. */
export function nameOfView(view: Link['view']): string {
  return view === undefined
    ? text.shownView.default
    : typeof view === 'string'
      ? text.shownView.saved(view)
      : text.shownView.own
}

/** A select for the default view, the saved views, and the other given choices. */
export function ViewChoice({
  graph,
  hint,
  others = [],
  value,
  onChange
}: {
  graph: GraphRecord
  hint: string
  others?: ('screen' | 'own')[]
  value: ChosenView
  onChange: (view: ChosenView) => void
}) {
  const { data: views = [] } = useSavedViews(graph.id)
  const saved = views.map(({ name }) => ({ value: `view:${name}`, label: text.shownView.saved(name) }))
  const usual = { value: 'default', label: text.shownView.defaultOf(graph.defaultView) }
  const options = [...others.map((other) => ({ value: other, label: text.shownView[other] })), usual, ...saved]
  const isKnown = options.some((option) => option.value === value)
  return (
    <NativeSelect
      label={text.shownView.title}
      description={hint}
      data={isKnown ? options : [...options, { value, label: text.shownView.saved(value.slice('view:'.length)) }]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as ChosenView)}
    />
  )
}
