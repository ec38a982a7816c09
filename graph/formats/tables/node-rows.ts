import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Row } from './csv-rows.ts'
import { type TableHeader, type TextOf, withSpace } from './header.ts'
import { neo4jColumn } from './names.ts'
import { attributeColumns, fits, valuesOf } from './values.ts'

/** A table of nodes: the rows below the header, and the index of the id column. */
interface NodeTable {
  header: TableHeader
  id: number
  rows: readonly Row[]
  delimiter: string
  textOf: TextOf
  /** Whether an id occurs in two of Neo4j's id spaces. */
  areShared: boolean
}

/** Adds a node for each row. If no column contains labels, names are labels. Throws Unreadable if there are too many nodes. */
export function readNodes({ header, id, rows, delimiter, textOf, areShared }: NodeTable, into: GraphBuilder) {
  const most = into.limits.maxNodes
  if (rows.length > most) throw new Unreadable(rows[most]?.at, 'too-many-nodes', `has more than ${most} nodes`)
  // Counts the losses in column names.
  for (const cell of header.cells) textOf(cell)
  const names: [number, string][] = []
  // If the caller chooses the id column, a column named `id` is an attribute.
  const seen = new Set(into.columns.id === undefined ? ['id'] : [])
  for (const index of header.cells.keys()) {
    if (index === id) continue
    const name = header.attributeName(index)
    header.refuseTwice(name, seen, into)
    names.push([index, name])
  }
  if (!names.some(([, name]) => name === 'label')) {
    const column = names.find(([, name]) => name.toLowerCase() === 'name')
    if (column) column[1] = 'label'
  }
  const attributes = attributeColumns(rows, names, delimiter, into.losses)
  const space = areShared ? neo4jColumn(header.cells[id] ?? '')?.group : undefined
  const idOf = space === undefined ? textOf : withSpace(space, textOf, into)
  for (const { cells, at } of rows) {
    const node = into.addNode(idOf(cells[id] ?? ''), at, valuesOf(cells, attributes, textOf))
    fits(cells, header.width, at, into, node)
  }
}
