import { useMemo } from 'react'
import { text } from '../text/index.ts'
import { endsOfEdges, namesOfNodes } from './element-columns.ts'
import { ElementsTable } from './elements-table.tsx'
import { useGraphContext } from './graph-context.ts'
import { at } from './network.ts'

/** The nodes of a graph that are not hidden, as a table. */
export function NodesTable() {
  const { graph, view, show } = useGraphContext()
  const { network, nodes, selected, look, change } = view
  const { hidden } = look.appearance
  const columns = useMemo(() => [...namesOfNodes(network), ...nodes], [network, nodes])
  const isHidden = useMemo(() => hidden && ((index: number) => hidden[index] === 1), [hidden])
  return (
    <ElementsTable
      caption={text.table.nodes(graph.name)}
      columns={columns}
      count={network.nodes.length}
      hidden={isHidden}
      selected={selected?.kind === 'node' ? selected.index : undefined}
      sort={view.view.nodeSort}
      onSort={(nodeSort) => change({ nodeSort })}
      onSelect={(index) => show({ kind: 'node', index })}
    />
  )
}

/** The edges of a graph between nodes that are not hidden, as a table. */
export function EdgesTable() {
  const { graph, view, show } = useGraphContext()
  const { network, selected, look, change } = view
  const { edges } = look
  const { hidden, nodeLabel } = look.appearance
  const columns = useMemo(() => [...endsOfEdges(network, nodeLabel), ...edges], [network, nodeLabel, edges])
  const isHidden = useMemo(
    () =>
      hidden && ((edge: number) => hidden[at(network.source, edge)] === 1 || hidden[at(network.target, edge)] === 1),
    [hidden, network]
  )
  return (
    <ElementsTable
      caption={text.table.edges(graph.name)}
      columns={columns}
      count={network.edges.length}
      hidden={isHidden}
      selected={selected?.kind === 'edge' ? selected.index : undefined}
      sort={view.view.edgeSort}
      onSort={(edgeSort) => change({ edgeSort })}
      onSelect={(index) => show({ kind: 'edge', index })}
    />
  )
}
