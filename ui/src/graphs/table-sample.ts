import type { ImportTable } from '../api.ts'
import { guessRoles, type Role } from '../paste/column-roles.ts'
import { type PastedTable, readTable } from '../paste/pasted-table.ts'
import { hasTitles, placesIn } from './table-columns.ts'

/** The number of bytes and lines to read. More would delay the dialog. */
const READ = { bytes: 1_000_000, lines: 10_000 }

/** The number of rows to show. */
const SHOWN = 4

/**
 * Returns the first rows of a table, and the distinct values at the start of each column. Returns nothing if its columns differ
 * from those that the server has read.
 */
export async function sampleOf(file: File, read: ImportTable) {
  const lines = (await file.slice(0, READ.bytes).text()).split('\n')
  // The last line may be incomplete.
  if (file.size > READ.bytes) lines.pop()
  const table = readTable(lines.slice(0, READ.lines).join('\n'), hasTitles(read))
  if (typeof table === 'string' || table.header.length !== read.columns.length) return undefined
  const values = table.header.map((_, index) => new Set(table.rows.map(({ cells }) => cells[index] ?? '')))
  return { values, sample: { ...table, rows: table.rows.slice(0, SHOWN) } }
}

/** Returns the role of each column: the ids and endpoints as the server has read them, and others by name. */
export function rolesIn(sample: PastedTable, read: ImportTable): Role[] {
  const isNodes = read.kind === 'nodes'
  const kept: Role[] = isNodes ? ['label', 'x', 'y', 'z'] : ['id', 'label', 'relation', 'direction']
  const roles = guessRoles(sample).map((role): Role => (kept.includes(role) ? role : 'attribute'))
  const name = sample.header.findIndex((title) => /^name$/i.test(title))
  if (isNodes && name >= 0 && !roles.includes('label')) roles[name] = 'label'
  const { id, source, target } = placesIn(read)
  if (isNodes && id !== undefined) roles[id] = 'id'
  if (!isNodes && source !== undefined) roles[source] = 'source'
  if (!isNodes && target !== undefined) roles[target] = 'target'
  return roles
}
