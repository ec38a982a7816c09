import { ConnectDialog } from '../../edit/connect-dialog.tsx'
import { NewNodeDialog } from '../../edit/new-node-dialog.tsx'
import { focusElementForm } from '../../edit/use-edit-focus.ts'
import { useShowAround } from '../../filter/neighbourhood-button.tsx'
import { PasteDialog } from '../../paste/paste-button.tsx'
import { useSetPathEnd } from '../../paths/path-buttons.tsx'
import { text } from '../../text/index.ts'
import type { Element, MenuPlace } from '../drawing/drawing.ts'
import { withLastNodeAt } from '../drawing/stage.ts'
import { useGraphContext } from '../graph-context.ts'
import { NodeValuesDialog } from './node-values-dialog.tsx'
import { type Action, PlacedMenu } from './placed-menu.tsx'
import { noMarks } from './use-marks.ts'
import { useNodeFilters } from './use-node-filters.tsx'
import { useRemove } from './use-remove.ts'

/** The menu, or a dialog that it opens. Dialogs stay open after the menu closes. */
export type Opened =
  | { menu: MenuPlace; dialog?: undefined }
  | { dialog: 'connect'; from: ReadonlySet<number> }
  | { dialog: 'node'; x: number; y: number }
  | { dialog: 'values'; nodes: ReadonlySet<number> }
  | { dialog: 'paste' }

/** The context menu of a node, an edge or the background, which lists only what the user may do, or one of its dialogs. */
export function ContextMenu({
  opened,
  onOpen,
  onClose
}: {
  opened: Opened
  onOpen: (opened: Opened) => void
  /** Called when neither the menu nor a dialog is open. */
  onClose: () => void
}) {
  const { editing, view, layout } = useGraphContext()
  if (opened.dialog === 'connect') {
    return <ConnectDialog editing={editing} view={view} from={opened.from} onClose={onClose} />
  }
  if (opened.dialog === 'node') {
    const { x, y } = opened
    return (
      <NewNodeDialog
        content={editing.content}
        onAdd={(next, id) => {
          editing.beginWith(withLastNodeAt(next, { x, y }, layout.stage))
          view.change({ node: id, edge: undefined })
        }}
        onClose={onClose}
      />
    )
  }
  if (opened.dialog === 'values') return <NodeValuesDialog nodes={opened.nodes} onClose={onClose} />
  if (opened.dialog === 'paste')
    return <PasteDialog content={editing.content} pasted="" onApply={editing.beginWith} onClose={onClose} />
  return <ActionsMenu menu={opened.menu} onOpen={onOpen} onClose={onClose} />
}

function ActionsMenu({
  menu,
  onOpen,
  onClose
}: {
  menu: MenuPlace
  onOpen: (opened: Opened) => void
  onClose: () => void
}) {
  return <PlacedMenu place={menu} actions={useActions(menu, onOpen)} onClose={onClose} />
}

function useActions({ element, position }: MenuPlace, open: (opened: Opened) => void): Action[] {
  const { editing, view, pins, marks, layout, side } = useGraphContext()
  const setEnd = useSetPathEnd()
  const showAround = useShowAround()
  const remove = useRemove()
  const { network, select } = view
  // In the menu of a node that is selected together with others, some actions apply to all of them.
  const nodes = nodesOf(element, marks.marked)
  const filters = useNodeFilters(nodes)
  const edit = (element: Element) => () => {
    if (!editing.history) editing.begin()
    select(element)
    side.open('details')
    focusElementForm()
  }
  const setValues = () => {
    if (!editing.history) editing.begin()
    open({ dialog: 'values', nodes })
  }
  const may = (...actions: Action[]) => (editing.isPossible ? actions : [])
  if (element?.kind === 'edge') {
    return [
      { label: text.menu.details, act: () => select(element) },
      ...may(
        { label: text.edit.edge, act: edit(element) },
        {
          label: text.edit.removeEdge,
          act: () => remove({ kind: 'edge', indexes: new Set([element.index]) })
        }
      )
    ]
  }
  if (element) {
    const { index } = element
    const id = network.nodes[index]?.id ?? ''
    const arePinned = Array.from(nodes).every((node) => pins.pinned.has(node))
    return [
      { label: text.menu.details, act: () => select(element) },
      { label: text.paths.fromHere, act: () => setEnd({ from: id }) },
      { label: text.paths.toHere, act: () => setEnd({ to: id }) },
      { label: text.filter.showAround, act: () => showAround(id) },
      { label: marks.marked.has(index) ? text.marks.deselect : text.marks.select, act: () => marks.toggle(index) },
      {
        label: (arePinned ? text.marks.unpin : text.marks.pin)(nodes.size),
        act: () => pins.set(nodes, !arePinned)
      },
      {
        label: text.marks.hideAll(nodes.size),
        disabled: filters.isTooLong,
        act: filters.hide
      },
      ...may(
        { label: text.edit.node, act: edit(element) },
        {
          label: text.marks.connect(nodes.size),
          opens: true,
          act: () => open({ dialog: 'connect', from: nodes })
        },
        { label: text.marks.setValue(nodes.size), opens: true, act: setValues },
        { label: text.marks.removeAll(nodes.size), act: () => remove({ kind: 'node', indexes: nodes }) }
      )
    ]
  }
  return [
    ...may(
      {
        label: text.menu.addNode,
        opens: true,
        act: () => open({ dialog: 'node', ...position })
      },
      { label: text.paste.open, opens: true, act: () => open({ dialog: 'paste' }) }
    ),
    { label: text.drawing.fit, act: () => layout.drawing.current?.fit() },
    ...(layout.isRunning ? [] : [{ label: text.layout.start, act: () => layout.start() }])
  ]
}

function nodesOf(element: Element | undefined, marked: ReadonlySet<number>): ReadonlySet<number> {
  if (element?.kind !== 'node') return noMarks
  return marked.has(element.index) ? marked : new Set([element.index])
}
