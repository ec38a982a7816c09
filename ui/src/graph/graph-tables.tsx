import { tableEditor } from '../edit/table-editor.ts'
import { useGraphContext } from './graph-context.ts'
import { ElementsTable } from './tables/elements-table.tsx'
import { useEdgesTable, useNodesTable } from './tables/use-tables.ts'

/** The table of a graph's visible nodes. During an edit, its selected rows are the nodes that are selected in the drawing. */
export function NodesTable() {
  const { graph, editing, view, marks, show } = useGraphContext()
  // Removing nodes changes the indexes of edges.
  const editor = tableEditor('node', editing, () => view.selected?.kind === 'edge' && view.select(undefined))
  const table = useNodesTable(graph.name, view, editor !== undefined)
  const open = (index: number) => show({ kind: 'node', index })
  return <ElementsTable of="nodes" {...table} editor={editor} marks={marks} onSelect={open} />
}

/** The table of a graph's visible edges. */
export function EdgesTable() {
  const { graph, editing, view, show } = useGraphContext()
  const editor = tableEditor('edge', editing, () => view.selected?.kind === 'edge' && view.select(undefined))
  const table = useEdgesTable(graph.name, view, editor !== undefined)
  return <ElementsTable of="edges" {...table} editor={editor} onSelect={(index) => show({ kind: 'edge', index })} />
}
