import type { AuditEventRow } from '../tables.ts'

// Event rows as exchanged between threads: one JSON array per row, with these columns (see db/engine/packed-rows.ts).

/** The columns of a packed row, in order. */
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

/** An empty list of packed rows. */
export const NO_ROWS = '[]'

/** Unpacks rows. */
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
