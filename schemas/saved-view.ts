import { type Static, Type } from '@sinclair/typebox'
import { Style } from './style.ts'
import { closedComponent, component, ignored, ref, TEXT_WITHOUT_CONTROLS, Time } from './types.ts'

/** The maximum number of saved views per graph. */
export const MAX_VIEWS = 100

export const ViewName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: TEXT_WITHOUT_CONTROLS,
  description: 'The name of the view, unique within the graph. It must not be blank or contain control characters.',
  examples: ['Valjean and his neighbours']
})
/** The name of a new view. It must not be blank, or `.` or `..`, which URL parsers drop as path segments (WHATWG URL). */
export const NewViewName = Type.String({
  ...ViewName,
  pattern: '^\\s*[^\\s\\x00-\\x1F\\x7F][^\\x00-\\x1F\\x7F]*$',
  not: { enum: ['.', '..'] },
  shown: ViewName
})

const savedBy = Type.String({
  description: 'The login of the user who last saved the view; empty if it was erased.',
  examples: ['ada']
})

const query = Type.String({
  maxLength: 8000,
  pattern: '^[!-~]*$',
  description:
    'The state of the web app, as the query of the graph page without `?`: the attributes for colour and size, the filters and the visible area, but not the style. Percent-encoded printable ASCII. Pictures use the attributes and filters, and ignore the rest.',
  examples: ['colour=a.group&size=degree']
})

export const SavedView = component('SavedView', 'A saved way to display a graph.', {
  name: ViewName,
  query,
  style: Type.Optional(ref(Style)),
  savedAt: Time,
  savedBy
})
export type SavedView = Static<typeof SavedView>

/** How to display a graph. */
export const GraphView = closedComponent('GraphView', 'A way to display a graph.', {
  query,
  style: Type.Optional(ref(Style))
})
export type GraphView = Static<typeof GraphView>

export const ViewUpdate = closedComponent(
  'ViewUpdate',
  'The new state of the view. Without `style`, the view has none.',
  {
    query,
    style: Type.Optional(ref(Style)),
    name: ignored(ViewName),
    savedAt: ignored(Time),
    savedBy: ignored(savedBy)
  }
)
export type ViewUpdate = Static<typeof ViewUpdate>
