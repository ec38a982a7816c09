import { useMemo } from 'react'
import { text } from '../../text/index.ts'
import type { GraphViewState } from '../view/use-graph-view.ts'
import type { Sort } from '../view/view.ts'
import { endsOfEdges, namesOfNodes, withRelation } from './columns.ts'

export type TableView = ReturnType<typeof useNodesTable>

/** Returns the contents of the node table. */
export function useNodesTable(
  name: string,
  { network, nodes, selected, look, view, change }: GraphViewState,
  isEdited: boolean
) {
  const { hidden } = look.appearance
  return {
    caption: text.table.nodes(name),
    columns: useMemo(() => [...namesOfNodes(network, isEdited), ...nodes], [network, isEdited, nodes]),
    count: network.nodes.length,
    hidden: useMemo(() => hidden && ((index: number) => hidden[index] === 1), [hidden]),
    selected: selected?.kind === 'node' ? selected.index : undefined,
    sort: view.nodeSort,
    onSort: (nodeSort: Sort) => change({ nodeSort })
  }
}

/** Returns the contents of the edge table. */
export function useEdgesTable(
  name: string,
  { network, edges, selected, look, view, change }: GraphViewState,
  isEdited: boolean
) {
  const { hiddenEdges } = look.appearance
  return {
    caption: text.table.edges(name),
    columns: useMemo(
      () => [...endsOfEdges(network, isEdited), ...withRelation(edges, isEdited)],
      [network, edges, isEdited]
    ),
    count: network.edges.length,
    hidden: useMemo(() => hiddenEdges && ((index: number) => hiddenEdges[index] === 1), [hiddenEdges]),
    selected: selected?.kind === 'edge' ? selected.index : undefined,
    sort: view.edgeSort,
    onSort: (edgeSort: Sort) => change({ edgeSort })
  }
}
