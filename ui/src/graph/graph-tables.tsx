import { useMemo } from 'react'
import { tableEditor } from '../edit/table-editor.ts'
import { text } from '../text/index.ts'
import { endsOfEdges, namesOfNodes, withRelation } from './element-columns.ts'
import { ElementsTable } from './elements-table.tsx'
import { useGraphContext } from './graph-context.ts'

/** The nodes of a graph that are not hidden, as a table. */
export function NodesTable() {
  const { graph, editing, view, show } = useGraphContext()
  const { network, nodes, selected, select, look, change } = view
  const { hidden } = look.appearance
  // The numbers of edges are others afterwards.
  const editor = tableEditor('node', editing, () => selected?.kind === 'edge' && select(undefined))
  const isEdited = editor !== undefined
  const columns = useMemo(() => [...namesOfNodes(network, isEdited), ...nodes], [network, isEdited, nodes])
  const isHidden = useMemo(() => hidden && ((index: number) => hidden[index] === 1), [hidden])
  return (
    <ElementsTable
      caption={text.table.nodes(graph.name)}
      columns={columns}
      count={network.nodes.length}
      hidden={isHidden}
      selected={selected?.kind === 'node' ? selected.index : undefined}
      sort={view.view.nodeSort}
      editor={editor}
      onSort={(nodeSort) => change({ nodeSort })}
      onSelect={(index) => show({ kind: 'node', index })}
    />
  )
}

/** The edges of a graph that are not hidden, as a table. */
export function EdgesTable() {
  const { graph, editing, view, show } = useGraphContext()
  const { network, edges, selected, select, look, change } = view
  const { hiddenEdges, nodeLabel } = look.appearance
  const editor = tableEditor('edge', editing, () => selected?.kind === 'edge' && select(undefined))
  const isEdited = editor !== undefined
  const columns = useMemo(
    () => [...endsOfEdges(network, nodeLabel, isEdited), ...withRelation(edges, isEdited)],
    [network, nodeLabel, edges, isEdited]
  )
  const isHidden = useMemo(() => hiddenEdges && ((index: number) => hiddenEdges[index] === 1), [hiddenEdges])
  return (
    <ElementsTable
      caption={text.table.edges(graph.name)}
      columns={columns}
      count={network.edges.length}
      hidden={isHidden}
      selected={selected?.kind === 'edge' ? selected.index : undefined}
      sort={view.view.edgeSort}
      editor={editor}
      onSort={(edgeSort) => change({ edgeSort })}
      onSelect={(index) => show({ kind: 'edge', index })}
    />
  )
}
