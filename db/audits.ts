import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
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
import type { Author } from './actors.ts'
import { prepared, preparedByShape } from './engine/prepared.ts'
import { isNear, parametersOf, type SliceParameters, type SliceShape, shapeOf, sliced, walkable } from './paging.ts'
import { type Db, expectId, type Reader, type Trx } from './store.ts'
import type { AuditEventRow, Tables } from './tables.ts'

export interface NewAuditEvent {
  type: AuditEventType
  outcome?: Outcome
  target?: AuditTarget
  /** Undefined values are left out. */
  data?: Record<string, string | undefined>
}

const insertEvent = prepared((trx: Trx, values: Omit<AuditEventRow, 'id'>) => {
  const { timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion, request, data } = values
  return trx
    .insertInto('auditEvent')
    .values({ timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion, request, data })
    .returning('id')
})

/** Records what the author did. Stands in the same transaction as what it tells of. Returns the id of the event. */
export async function recordEvent(trx: Trx, { principal, request }: Author, event: NewAuditEvent): Promise<number> {
  const { type, outcome = 'SUCCESS', target, data = {} } = event
  const [recorded] = await insertEvent(trx, {
    timestamp: new Date().toISOString(),
    principal,
    type,
    outcome,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    targetVersion: target?.version ?? null,
    request: request ? JSON.stringify(request) : null,
    data: JSON.stringify(data)
  })
  return expectId(recorded)
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

/** What of a list makes another query, and not only another parameter: which filters there are. */
type FilterShape = Record<'principal' | 'type' | 'outcome' | 'targetType' | 'targetId' | 'period', boolean>

type FilterParameters = Required<Omit<AuditFilter, 'period' | 'targetId'>> & Period & Span & { targetId: bigint }

/** The ids that events of a period lie between, among others perhaps. */
interface Span {
  firstId: number
  lastId: number
}

const page = preparedByShape((db, shape: SliceShape & FilterShape, parameters: FilterParameters & SliceParameters) =>
  sliced(
    matching(walkable(db.selectFrom('auditEvent').selectAll(), 'id'), shape, parameters),
    shape,
    parameters,
    (field, eb) => eb.ref(field as 'id')
  )
)

const count = preparedByShape((db, shape: FilterShape, parameters: FilterParameters) =>
  matching(
    db.selectFrom('auditEvent').select((eb) => eb.fn.countAll<number>().as('count')),
    shape,
    parameters
  )
)

const allDays = prepared(
  (db, _: object) => db.selectFrom('auditDay').select((eb) => eb.fn.sum<number>('count').as('count')),
  { remembers: true }
)

const days = prepared((db, { from, to }: Period) =>
  db
    .selectFrom('auditDay')
    .select((eb) => [
      eb.fn.sum<number>('count').as('count'),
      eb.fn.min('firstId').as('firstId'),
      eb.fn.max('lastId').as('lastId')
    ])
    .where('day', '>=', from)
    .where('day', '<', to)
)

/** The events that match, in the order of the slice. */
export async function listAudits({ read, scan }: Reader, filter: AuditFilter, slice: Slice): Promise<AuditEvent[]> {
  const span = await spanOf(read, filter)
  const db = isNear(slice) && isIndexed(filter) ? read : scan
  const parameters = { ...parametersOfFilter(filter, span), ...parametersOf(slice) }
  const rows = await page(db, { ...shapeOf(slice), ...shapeOfFilter(filter) }, parameters)
  return rows.map(toEvent)
}

/** How many events match. */
export async function countAudits({ read, scan }: Reader, filter: AuditFilter): Promise<number> {
  const { period, ...others } = filter
  if (isEmpty(others) && (period === undefined || isOfWholeDays(period))) {
    const [counted] = period === undefined ? await allDays(read, {}) : await days(read, daysOf(period))
    return Number(counted?.count ?? 0)
  }
  const [counted] = await count(scan, shapeOfFilter(filter), parametersOfFilter(filter, await spanOf(read, filter)))
  return Number(counted?.count ?? 0)
}

const byId = prepared((db, { id }: { id: number }) => db.selectFrom('auditEvent').selectAll().where('id', '=', id))

/** The event, or undefined. */
export async function findAudit(db: Db, id: number): Promise<AuditEvent | undefined> {
  const [row] = await byId(db, { id })
  return row && toEvent(row)
}

/** What the event is sorted by in this field. */
export function auditSortKey(event: AuditEvent, field: string): SortKey {
  return event[field as 'id' | 'timestamp' | 'principal' | 'type' | 'outcome']
}

function matching<O>(
  query: SelectQueryBuilder<Tables, 'auditEvent', O>,
  shape: FilterShape,
  parameters: FilterParameters
) {
  let matched = query
  if (shape.principal) matched = matched.where('principal', '=', parameters.principal)
  if (shape.type) matched = matched.where('type', '=', parameters.type)
  if (shape.outcome) matched = matched.where('outcome', '=', parameters.outcome)
  if (shape.targetType) matched = matched.where('targetType', '=', parameters.targetType)
  if (shape.targetId) matched = matched.where('targetId', '=', sql<number>`${parameters.targetId}`)
  if (shape.period) {
    matched = matched
      .where('id', '>=', parameters.firstId)
      .where('id', '<=', parameters.lastId)
      .where((eb) => eb(timeOf(eb), '>=', parameters.from))
      .where((eb) => eb(timeOf(eb), '<', parameters.to))
  }
  return matched
}

/** The time in a form that no index has: those of ids are in the order that is asked for. */
function timeOf(eb: ExpressionBuilder<Tables, 'auditEvent'>) {
  return eb.fn.coalesce('timestamp', sql.lit(''))
}

function shapeOfFilter(filter: AuditFilter): FilterShape {
  const { principal, type, outcome, targetType, targetId, period } = filter
  return {
    principal: principal !== undefined,
    type: type !== undefined,
    outcome: outcome !== undefined,
    targetType: targetType !== undefined,
    targetId: targetId !== undefined,
    period: period !== undefined
  }
}

function parametersOfFilter(filter: AuditFilter, span: Span): FilterParameters {
  const { principal = '', type = 'GRAPH_CREATED', outcome = 'SUCCESS', targetType = 'GRAPH', targetId = '0' } = filter
  const { period = { from: '', to: '' } } = filter
  return { principal, type, outcome, targetType, targetId: BigInt(targetId), ...period, ...span }
}

/** Whether an index leads to the events, or to the page of them, in the order of their ids. */
function isIndexed({ principal, type, outcome, targetType, targetId, period }: AuditFilter) {
  if (type !== undefined || outcome !== undefined) return false
  if (period !== undefined) return isEmpty({ principal, targetType, targetId }) && isOfWholeDays(period)
  const isTarget = targetType !== undefined && targetId !== undefined
  return principal === undefined
    ? isTarget || (targetType ?? targetId) === undefined
    : (targetType ?? targetId) === undefined
}

function isEmpty(filter: object) {
  return Object.values(filter).every((value) => value === undefined)
}

/** Whether the period begins and ends with days in UTC. */
function isOfWholeDays({ from, to }: Period) {
  return [from, to].every((time) => time.endsWith('T00:00:00.000Z') || time.endsWith('T24:00:00.000Z'))
}

/** The days in UTC that a period touches: from the first until before the other. A date stands before its times. */
function daysOf({ from, to }: Period): Period {
  return { from: from.slice(0, 10), to: to.endsWith('T00:00:00.000Z') ? to.slice(0, 10) : to }
}

async function spanOf(db: Db, { period }: AuditFilter): Promise<Span> {
  if (period === undefined) return { firstId: 0, lastId: 0 }
  const [span] = await days(db, daysOf(period))
  return { firstId: span?.firstId ?? 0, lastId: span?.lastId ?? -1 }
}

function toEvent(row: AuditEventRow): AuditEvent {
  const { id, timestamp, principal, type, outcome, targetType, targetId, request, data } = row
  return {
    id,
    timestamp,
    principal,
    type,
    outcome,
    ...(targetType && targetId !== null && { target: toTarget(targetType, targetId, row) }),
    ...(request && { request: JSON.parse(request) as AuditRequest }),
    data: JSON.parse(data) as Record<string, string>
  }
}

function toTarget(
  type: TargetType,
  id: number,
  { targetName, targetVersion }: Pick<AuditEventRow, 'targetName' | 'targetVersion'>
): AuditTarget {
  const target = { type, id, name: targetName ?? '' }
  if (targetVersion === null) return target
  return { ...target, version: targetVersion, href: `/api/graphs/${id}/versions/${targetVersion}` }
}
