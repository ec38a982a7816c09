import { type SelectQueryBuilder, sql } from 'kysely'
import type {
  AuditEvent,
  AuditEventType,
  AuditRequest,
  AuditTarget,
  Outcome,
  Period,
  TargetType
} from '../schemas/audit.ts'
import type { Slice, SortKey } from '../schemas/parameters.ts'
import type { Role } from '../schemas/user.ts'
import { sliced } from './paging.ts'
import type { Db } from './store.ts'
import type { AuditEventRow, Tables } from './tables.ts'

/** Who acts, and by which request. */
export interface Actor {
  login: string
  role: Role
  request?: AuditRequest
}

/** The server itself, and whoever uses its command line. */
export const system: Actor = { login: 'system', role: 'ADMIN' }

export interface NewAuditEvent {
  type: AuditEventType
  outcome?: Outcome
  target?: AuditTarget
  /** Undefined values are left out. */
  data?: Record<string, string | undefined>
}

/** Records what the actor did. Stands in the same transaction as what it tells of. */
export async function recordEvent(trx: Db, actor: Actor, event: NewAuditEvent) {
  const { type, outcome = 'SUCCESS', target, data = {} } = event
  await trx
    .insertInto('auditEvent')
    .values({
      timestamp: new Date().toISOString(),
      principal: actor.login,
      type,
      outcome,
      targetType: target?.type ?? null,
      targetId: target?.id ?? null,
      targetName: target?.name ?? null,
      request: actor.request ? JSON.stringify(actor.request) : null,
      data: JSON.stringify(data)
    })
    .execute()
}

/**
 * What changed between two records, as `field.old` and `field.new`. Absent values are left out, and so is the other
 * side of a record that is created or deleted.
 */
export function changes<T extends object>(before: Partial<T>, after: Partial<T>) {
  const data: Record<string, string> = {}
  for (const field of Object.keys({ ...before, ...after }) as (keyof T & string)[]) {
    const [old, now] = [before[field] ?? null, after[field] ?? null]
    if (old === now) continue
    if (old !== null) data[`${field}.old`] = String(old)
    if (now !== null) data[`${field}.new`] = String(now)
  }
  return data
}

export interface AuditFilter {
  principal?: string
  type?: AuditEventType
  outcome?: Outcome
  targetType?: TargetType
  /** Its digits: an int64 does not fit into a number. */
  targetId?: string
  period?: Period
}

/** The events that match, in the order of the slice. */
export async function listAudits(db: Db, filter: AuditFilter, slice: Slice): Promise<AuditEvent[]> {
  const query = matching(db.selectFrom('auditEvent').selectAll(), filter)
  const rows = await sliced(query, slice, (field, eb) => eb.ref(field as 'id')).execute()
  return rows.map(toEvent)
}

/** How many events match. */
export async function countAudits(db: Db, filter: AuditFilter): Promise<number> {
  const query = matching(
    db.selectFrom('auditEvent').select((eb) => eb.fn.countAll<number>().as('count')),
    filter
  )
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** The event, or undefined. */
export async function findAudit(db: Db, id: number): Promise<AuditEvent | undefined> {
  const row = await db.selectFrom('auditEvent').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toEvent(row)
}

/** What the event is sorted by in this field. */
export function auditSortKey(event: AuditEvent, field: string): SortKey {
  return event[field as 'id' | 'timestamp' | 'principal' | 'type' | 'outcome']
}

function matching<O>(query: SelectQueryBuilder<Tables, 'auditEvent', O>, filter: AuditFilter) {
  const { principal, type, outcome, targetType, targetId, period } = filter
  let matched = query
  if (principal !== undefined) matched = matched.where('principal', '=', principal)
  if (type !== undefined) matched = matched.where('type', '=', type)
  if (outcome !== undefined) matched = matched.where('outcome', '=', outcome)
  if (targetType !== undefined) matched = matched.where('targetType', '=', targetType)
  if (targetId !== undefined) matched = matched.where('targetId', '=', sql<number>`${BigInt(targetId)}`)
  if (period !== undefined) matched = matched.where('timestamp', '>=', period.from).where('timestamp', '<', period.to)
  return matched
}

function toEvent(row: AuditEventRow): AuditEvent {
  const { id, timestamp, principal, type, outcome, targetType, targetId, targetName, request, data } = row
  return {
    id,
    timestamp,
    principal,
    type,
    outcome,
    ...(targetType && targetId !== null && { target: { type: targetType, id: targetId, name: targetName ?? '' } }),
    ...(request && { request: JSON.parse(request) as AuditRequest }),
    data: JSON.parse(data) as Record<string, string>
  }
}
