import type { ImportTable } from '../api.ts'
import { readTable } from '../paste/pasted-table.ts'

/** The number of bytes that are compared. More would delay the dialog. */
const COMPARED = 200_000

/** Returns the node ids or edge endpoints at the start of a table, or nothing if the columns are not known. */
export async function idsIn(file: File, { sourceColumn, targetColumn, idColumn }: ImportTable) {
  const table = readTable(await file.slice(0, COMPARED).text())
  if (typeof table === 'string') return undefined
  const columns = [sourceColumn, targetColumn, idColumn].map((name) => (name ? table.header.indexOf(name) : -1))
  const places = columns.filter((place) => place >= 0)
  return new Set(table.rows.flatMap(({ cells }) => places.map((place) => cells[place] ?? '')))
}
