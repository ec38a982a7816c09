import { type ExpressionBuilder, sql } from 'kysely'
import type {
  AuditEvent,
  AuditEventType,
  AuditFilters,
  AuditRequest,
  AuditTarget,
  Outcome,
  Period,
  TargetType
} from '../../schemas/audit.ts'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import type { Author } from '../actors.ts'
import { packedRows } from '../engine/packed-rows.ts'
import { prepared, preparedByShape } from '../engine/prepared.ts'
import { type FilterShape, Filters } from '../filters.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf
} from '../paging.ts'
import { type Db, expectId, type Reader, type Trx } from '../store.ts'
import type { AuditEventRow, Tables } from '../tables.ts'
import { NO_ROWS, PACKED } from './rows.ts'

export interface NewAuditEvent {
  type: AuditEventType
  outcome?: Outcome
  target?: AuditTarget
  /** Undefined values are omitted. */
  data?: Record<string, string | undefined>
}

const insertEvent = prepared((trx: Trx, values: Omit<AuditEventRow, 'id'>) => {
  const { timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion, request, data } = values
  return trx
    .insertInto('auditEvent')
    .values({ timestamp, principal, type, outcome, targetType, targetId, targetName, targetVersion, request, data })
    .returning('id')
})

/** Records an event by the author, in the same transaction as the change it describes. Returns the event's id. */
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
 * Returns the differences between two records as `field.old` and `field.new`. Omits the old value of an added field and the new
 * value of a removed field.
 */
export function describeChanges<T extends object>(before: Partial<T>, after: Partial<T>) {
  const data: Record<string, string> = {}
  for (const field of Object.keys({ ...before, ...after }) as (keyof T & string)[]) {
    const [old, now] = [before[field] ?? null, after[field] ?? null]
    if (old === now) continue
    if (old !== null) data[`${field}.old`] = String(old)
    if (now !== null) data[`${field}.new`] = String(now)
  }
  return data
}

/** The filters of the query, with the dates converted to a period. */
export type AuditFilter = Omit<AuditFilters, 'fromDate' | 'toDate' | 'zone'> & { period?: Period | undefined }

/** The first and last event ids on the days of a period. Ids between them may belong to events outside the period. */
interface Span {
  firstId: number
  lastId: number
}

/** A filter in the form that the query uses, with the period converted to four bounds. */
type Bounded = Omit<AuditFilter, 'period'> & Partial<Period & Span>
type FilterParameters = Required<Omit<Bounded, 'targetId'>> & { targetId: bigint }

const filters = new Filters<'auditEvent', Bounded, FilterParameters>({
  principal: { where: (eb, principal) => eb('principal', '=', principal) },
  type: { where: (eb, type) => eb('type', '=', type) },
  outcome: { where: (eb, outcome) => eb('outcome', '=', outcome) },
  targetType: { where: (eb, type) => eb('targetType', '=', type) },
  targetId: { where: (eb, id) => eb('targetId', '=', sql<number>`${id}`), toParameter: BigInt },
  firstId: { where: (eb, id) => eb('id', '>=', id) },
  lastId: { where: (eb, id) => eb('id', '<=', id) },
  from: { where: (eb, time) => eb(timeOf(eb), '>=', time) },
  to: { where: (eb, time) => eb(timeOf(eb), '<', time) }
})

type AuditFilterShape = FilterShape<Bounded>

/** The filters for which an index returns events in id order, including within periods of whole days. */
const INDEXED: AuditFilterShape[] = [[], ['principal'], ['targetType', 'targetId']]
const PERIOD: AuditFilterShape = ['firstId', 'lastId', 'from', 'to']

type ListShape = SliceShape & { filters: AuditFilterShape }

const selectPage = preparedByShape((db, shape: ListShape, parameters: FilterParameters & SliceParameters) =>
  applySlice(
    filters.apply(db.selectFrom('auditEvent').selectAll(), shape.filters, parameters),
    shape,
    parameters,
    (field, eb) => eb.ref(field as 'id')
  )
)

const selectCount = preparedByShape((db, shape: AuditFilterShape, parameters: FilterParameters) =>
  filters.apply(
    db.selectFrom('auditEvent').select((eb) => eb.fn.countAll<number>().as('count')),
    shape,
    parameters
  )
)

/**
 * A limit higher than the number of rows in any range. A limit makes the planner use the id range instead of an index for
 * another condition.
 */
const ALL = 1_000_000_000

const selectPacked = preparedByShape((db, shape: AuditFilterShape, parameters: FilterParameters & IdRange) => {
  const range = db
    .selectFrom('auditEvent')
    .select(PACKED)
    .where('id', '>=', parameters.fromId)
    .where('id', '<', parameters.toId)
    .orderBy('id')
    .limit(sql.lit(ALL))
  if (shape.length === 0) return packedRows(db, range, PACKED)
  // The range includes every column that the filters need.
  const rows = db.selectFrom(range.as('auditEvent')).select(PACKED) as unknown as typeof range
  return packedRows(db, filters.apply(rows, shape, parameters), PACKED)
})

const countAllDays = prepared(
  (db, _: object) => db.selectFrom('auditDay').select((eb) => eb.fn.sum<number>('count').as('count')),
  { remembers: true }
)

const countDays = prepared((db, { from, to }: Period) =>
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

/** Returns the events that match the filter, ordered and limited by the slice. */
export async function listAudits({ read, report }: Reader, filter: AuditFilter, slice: Slice): Promise<AuditEvent[]> {
  const bounded = await boundedBy(read, filter)
  const shape = filters.shapeOf(bounded)
  const db = isNear(slice) && isIndexed(shape, filter) ? read : report
  const parameters = { ...filters.parametersOf(bounded), ...sliceParametersOf(slice) }
  const rows = await selectPage(db, { ...sliceShapeOf(slice), filters: shape }, parameters)
  return rows.map(toEvent)
}

/** Returns the number of events that match the filter. */
export async function countAudits({ read, report }: Reader, filter: AuditFilter): Promise<number> {
  const { period, ...others } = filter
  if (filters.shapeOf(others).length === 0 && (period === undefined || isOfWholeDays(period))) {
    const [counted] = period === undefined ? await countAllDays(read, {}) : await countDays(read, daysOf(period))
    return Number(counted?.count ?? 0)
  }
  const bounded = await boundedBy(read, filter)
  const [counted] = await selectCount(report, filters.shapeOf(bounded), filters.parametersOf(bounded))
  return Number(counted?.count ?? 0)
}

/** A half-open range of event ids: `fromId` is included, `toId` is not. */
export interface IdRange {
  fromId: number
  toId: number
}

/**
 * Returns a function that reads the matching events in a range, packed for `unpackRows`. It scans the whole range, so keep
 * ranges short.
 */
export async function packedAudits(
  { read, report }: Reader,
  filter: AuditFilter
): Promise<(range: IdRange) => Promise<string>> {
  const { firstId, lastId, ...others } = await boundedBy(read, filter)
  const [shape, parameters] = [filters.shapeOf(others), filters.parametersOf(others)]
  return async ({ fromId, toId }) => {
    const range = {
      fromId: Math.max(fromId, firstId ?? 0),
      toId: lastId === undefined ? toId : Math.min(toId, lastId + 1)
    }
    if (range.fromId >= range.toId) return NO_ROWS
    const [row] = await selectPacked(report, shape, { ...parameters, ...range })
    return row?.packed ?? NO_ROWS
  }
}

const byId = prepared((db, { id }: { id: number }) => db.selectFrom('auditEvent').selectAll().where('id', '=', id))

/** Returns the event with this id, or undefined if it does not exist. */
export async function findAudit(db: Db, id: number): Promise<AuditEvent | undefined> {
  const [row] = await byId(db, { id })
  return row && toEvent(row)
}

/** Returns the event's value for the field that the list is sorted by. */
export function auditSortKey(event: AuditEvent, field: string): SortKey {
  return event[field as 'id' | 'timestamp' | 'principal' | 'type' | 'outcome']
}

/**
 * Returns the timestamp as an expression that no index covers. The engine then uses the id index, which matches the order of
 * the list.
 */
function timeOf(eb: ExpressionBuilder<Tables, 'auditEvent'>) {
  return eb.fn.coalesce('timestamp', sql.lit(''))
}

/** Returns whether an index returns the filter's events in id order. */
function isIndexed(shape: AuditFilterShape, { period }: AuditFilter) {
  const isSame = (other: AuditFilterShape) => String(other) === String(shape)
  return period === undefined ? INDEXED.some(isSame) : isSame(PERIOD) && isOfWholeDays(period)
}

/** Returns whether the period starts and ends at midnight UTC. */
function isOfWholeDays({ from, to }: Period) {
  return [from, to].every((time) => time.endsWith('T00:00:00.000Z') || time.endsWith('T24:00:00.000Z'))
}

/** Returns the UTC days that a period overlaps, as a half-open range. As text, a date sorts before all times on that date. */
function daysOf({ from, to }: Period): Period {
  return { from: from.slice(0, 10), to: to.endsWith('T00:00:00.000Z') ? to.slice(0, 10) : to }
}

async function boundedBy(db: Db, { period, ...filter }: AuditFilter): Promise<Bounded> {
  if (period === undefined) return filter
  const [span] = await countDays(db, daysOf(period))
  return { ...filter, ...period, firstId: span?.firstId ?? 0, lastId: span?.lastId ?? -1 }
}

function toEvent(row: AuditEventRow): AuditEvent {
  const { id, timestamp, principal, type, outcome, targetType, targetId, request, data } = row
  const cause = request === null ? {} : objectIn(request)
  return {
    id,
    timestamp,
    principal,
    type,
    outcome,
    ...(targetType && targetId !== null && { target: toTarget(targetType, targetId, row) }),
    ...(isRequest(cause) && { request: cause }),
    data: objectIn(data) as Record<string, string>
  }
}

/**
 * Parses a JSON object. Returns any other text, which only the database owner could have stored, wrapped in an object.
 */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Show the text as is.
  }
  return { text }
}

function isRequest(value: object): value is AuditRequest {
  const { id, ip, method, route } = value as Partial<AuditRequest>
  return [id, ip, method, route].every((member) => typeof member === 'string')
}

function toTarget(
  type: TargetType,
  id: number,
  { targetName, targetVersion }: Pick<AuditEventRow, 'targetName' | 'targetVersion'>
): AuditTarget {
  return { type, id, name: targetName ?? '', ...(targetVersion !== null && { version: targetVersion }) }
}

/**
 * Returns the data of the events that announce new epochs of the log. The query uses the index on the principal, because
 * `system` has few events.
 */
export async function readEpochs(db: Db): Promise<Partial<Record<string, string>>[]> {
  const rows = await db
    .selectFrom('auditEvent')
    .select('data')
    .where('principal', '=', 'system')
    .where('type', '=', 'AUDIT_EPOCH_STARTED')
    .execute()
  return rows.map(({ data }) => objectIn(data) as Partial<Record<string, string>>)
}
