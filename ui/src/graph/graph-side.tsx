import { Tabs, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { EditSide } from '../edit/edit-side.tsx'
import { FilterPanel } from '../filter/filter-panel.tsx'
import { NeighbourhoodButton } from '../filter/neighbourhood-button.tsx'
import { PinButton } from '../layout/pin-buttons.tsx'
import { PathEndButtons } from '../paths/path-buttons.tsx'
import { PathPanel } from '../paths/path-panel.tsx'
import { text } from '../text/index.ts'
import { Details } from './details/details.tsx'
import { MarkedNodes } from './details/marked-nodes.tsx'
import { useGraphContext } from './graph-context.ts'
import { LookPanel } from './look/look-panel.tsx'
import { useRemove } from './marks/use-remove.ts'
import type { SideTab } from './use-side.ts'

/** The panel beside a drawing or table, in tabs: the selected element, a path, the appearance and the filters. */
export function GraphSide() {
  const { view, tab, side } = useGraphContext()
  const { path, filters = [] } = view.view
  const all: { value: SideTab; label: string; panel: ReactNode }[] = [
    { value: 'details', label: text.details.title, panel: <SelectedElement /> },
    { value: 'path', label: text.paths.tab, panel: path && <PathPanel query={path} /> },
    { value: 'look', label: text.look.title, panel: tab === 'drawing' && <LookPanel /> },
    { value: 'filter', label: text.filter.open(filters.length), panel: <FilterPanel /> }
  ]
  const tabs = all.filter(({ panel }) => panel)
  return (
    <aside className="graph-side" aria-label={text.graph.side}>
      <Tabs value={side.tab} onChange={(value) => side.open(value as SideTab)} className="side-tabs">
        <Tabs.List aria-label={text.graph.panels} grow>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value} className="side-panel" tabIndex={0}>
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs>
    </aside>
  )
}

/** The details of the selected element, below its edit form, or else a list of the nodes that are selected together. */
function SelectedElement() {
  const { part, editing, view, marks, show, restoreFocus } = useGraphContext()
  const remove = useRemove()
  const { network, selected, look } = view
  if (!selected && marks.marked.size > 0)
    return (
      <MarkedNodes
        network={network}
        nodes={marks.marked}
        colourOf={look.appearance.nodeColour}
        onSelect={(index) => show({ kind: 'node', index })}
      />
    )
  if (!selected)
    return (
      <Text size="sm" c="dimmed">
        {text.details.none}
      </Text>
    )
  return (
    <>
      {editing.history && (
        <EditSide
          key={`edit ${selected.kind} ${selected.kind === 'node' ? network.nodes[selected.index]?.id : selected.index}`}
          editing={editing}
          element={selected}
          view={view}
          onRemove={() => {
            remove({ kind: selected.kind, indexes: new Set([selected.index]) })
            restoreFocus()
          }}
        />
      )}
      <Details
        key={`${selected.kind} ${selected.index}`}
        network={network}
        measures={view.measured}
        attributes={view}
        colourOf={look.appearance.nodeColour}
        element={selected}
        onSelect={show}
        onGrow={part?.onGrow}
        actions={selected.kind === 'node' && <NodeActions node={selected.index} />}
      />
    </>
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
