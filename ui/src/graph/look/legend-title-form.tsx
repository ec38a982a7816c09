import type { Elements } from '../../../../picture/filter/filters.ts'
import { text } from '../../text/index.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import { NameField } from './name-field.tsx'
import { useStyle } from './use-style.ts'

/** The form for the title of an attribute in the legend. */
export default function LegendTitleForm({
  view,
  of,
  attribute,
  usual
}: {
  view: GraphViewState
  of: Elements
  attribute: string
  /** The title without a style. */
  usual: string
}) {
  const { style, setTitle } = useStyle(view)
  const titles = new Map(Object.entries(style?.[of]?.titles ?? {}))
  return (
    <NameField
      label={text.look.legendTitle}
      placeholder={usual}
      name={titles.get(attribute) ?? ''}
      onChange={(title) => setTitle(of, attribute, title)}
    />
  )
}
