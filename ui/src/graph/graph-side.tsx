import { EditSide } from '../edit/edit-side.tsx'
import { NeighbourhoodButton } from '../filter/neighbourhood-button.tsx'
import { PinButton } from '../layout/pin-buttons.tsx'
import { PathEndButtons } from '../paths/path-buttons.tsx'
import { PathPanel } from '../paths/path-panel.tsx'
import { text } from '../text/index.ts'
import { Details } from './details/details.tsx'
import { useGraphContext } from './graph-context.ts'
import { SidePanels } from './side-panels.tsx'

/** The panel beside a drawing or table. It shows the selected element or its edit form, the appearance and the filters. */
export function GraphSide({ isPanelShown }: { isPanelShown: boolean }) {
  const { part, editing, view, isNarrow, show } = useGraphContext()
  const { network, selected, look } = view
  const { nodeLabel } = look.appearance
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
    <aside className="graph-side" aria-label={text.graph.side} tabIndex={0}>
      {selected && editing.history && (
        <EditSide
          key={`edit ${selected.kind} ${selected.kind === 'node' ? network.nodes[selected.index]?.id : selected.index}`}
          editing={editing}
          element={selected}
          network={network}
          labelOf={nodeLabel}
          onRemove={() => show(undefined)}
        />
      )}
      {selected && (
        <Details
          key={`${selected.kind} ${selected.index}`}
          network={network}
          measures={view.measured}
          labelOf={nodeLabel}
          colourOf={look.appearance.nodeColour}
          element={selected}
          onSelect={show}
          onGrow={part?.onGrow}
          actions={selected.kind === 'node' && <NodeActions node={selected.index} />}
        />
      )}
      {view.view.path && <PathPanel query={view.view.path} />}
      {(!selected || !isNarrow) && isPanelShown && <SidePanels />}
    </aside>
  )
}

/** The buttons for the selected node, except those for editing. */
function NodeActions({ node }: { node: number }) {
  const { view, pins } = useGraphContext()
  return (
    <>
      <PinButton pins={pins} node={node} />
      <NeighbourhoodButton node={node} />
      <PathEndButtons id={view.network.nodes[node]?.id as string} />
    </>
  )
}
