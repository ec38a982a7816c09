import { NativeSelect } from '@mantine/core'
import type { GraphRecord, Link } from '../api.ts'
import { text } from '../text/index.ts'
import { useSavedViews } from '../views/saved-views.ts'

/** A choice of view: the default view, the view on the screen, the link's own view, or a saved view as `view:` and its name. */
export type ChosenView = 'default' | 'screen' | 'own' | `view:${string}`

/** Returns the choice that stands for a link's view. */
export function chosenOf(view: Link['view']): ChosenView {
  return view === undefined ? 'default' : typeof view === 'string' ? `view:${view}` : 'own'
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
