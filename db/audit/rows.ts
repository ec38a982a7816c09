import type { AuditEventRow } from '../tables.ts'

// Rows of events as they pass between threads: as JSON, an array of these columns for each (see db/engine/packed-rows.ts).

/** The columns of a packed row, in their order. */
export const PACKED = [
  'id',
  'timestamp',
  'principal',
  'type',
  'outcome',
  'targetType',
  'targetId',
  'targetName',
  'targetVersion',
  'request',
  'data'
] as const satisfies readonly (keyof AuditEventRow)[]

type Values<Columns extends readonly (keyof AuditEventRow)[]> = {
  [Place in keyof Columns]: AuditEventRow[Columns[Place]]
}
type PackedRow = Values<typeof PACKED>

/** The text of no rows. */
export const NO_ROWS = '[]'

/** Returns the rows of a text. */
export function unpackRows(text: string): AuditEventRow[] {
  return (JSON.parse(text) as PackedRow[]).map(
    ([id, timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion, request, data]) => ({
      id,
      timestamp,
      principal,
      type,
      outcome,
      targetType,
      targetId,
      targetName,
      targetVersion,
      request,
      data
    })
  )
}
