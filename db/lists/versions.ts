import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import type { GraphVersion } from '../../schemas/version.ts'
import { prepared, preparedByShape } from '../engine/prepared.ts'
import { sortNameOf } from '../graphs/name-order.ts'
import { isPinned } from '../graphs/versions.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf
} from '../paging.ts'
import type { Db, Reader } from '../store.ts'
import type { GraphRow, Tables } from '../tables.ts'

/** The columns of a version that lists show or are sorted by, apart from those of its event. */
const LISTED = [
  'version',
  'updatedAt',
  'principal',
  'message',
  'name',
  'sortName',
  'nodeCount',
  'edgeCount',
  'restoredFrom'
] as const

type ListedVersion = Pick<GraphRow, (typeof LISTED)[number] | 'auditEventId'>

/**
 * Selects the event that recorded the creation of a version. The first version has no reference to its event, because the event
 * is recorded only after the graph has an id. Its event is the graph's first event, unless that event was pruned
 * (db/upkeep/audit-pruning.ts).
 */
function eventOf(eb: ExpressionBuilder<Tables, 'graph' | 'graphVersion'>, graphId: number) {
  const first = eb
    .selectFrom('auditEvent')
    .select((eb) => eb.fn.min('id').as('id'))
    .where('targetType', '=', sql.lit('GRAPH' as const))
    .where('targetId', '=', graphId)
  const created = eb
    .selectFrom('auditEvent')
    .select('id')
    .where('id', '=', first)
    .where('type', '=', sql.lit('GRAPH_CREATED' as const))
  return eb.fn.coalesce('auditEventId', created).as('auditEventId')
}

/** Selects all versions of the graph, including the current one. Kysely cannot infer that both halves have the same columns. */
function selectVersions(db: Db, id: number): SelectQueryBuilder<Tables, 'graphVersion', ListedVersion> {
  const current = db
    .selectFrom('graph')
    .select(LISTED)
    .select((eb) => eventOf(eb as never, id))
    .where('id', '=', id)
  const kept = db
    .selectFrom('graphVersion')
    .select(LISTED)
    .select((eb) => eventOf(eb as never, id))
    .where('graphId', '=', id)
  return db.selectFrom(kept.unionAll(current).as('graphVersion')).selectAll() as never
}

const selectPage = preparedByShape((db, shape: SliceShape, parameters: SliceParameters & { id: number }) =>
  applySlice(selectVersions(db, parameters.id), shape, parameters, sortColumn)
)

/** Returns the stored versions of the graph and the current one, ordered and limited by the slice. */
export async function listVersions({ read, scan }: Reader, id: number, slice: Slice): Promise<GraphVersion[]> {
  const db = isNear(slice, 'version') ? read : scan
  const rows = await selectPage(db, sliceShapeOf(slice), { id, ...sliceParametersOf(slice) })
  return rows.map(toVersion)
}

/** Returns a version of the graph as shown in lists, or undefined if it no longer exists. */
export async function findVersion(db: Db, id: number, version: number): Promise<GraphVersion | undefined> {
  const [row] = await selectVersion(db, { id, version })
  return row && toVersion(row)
}

const selectVersion = prepared((db, { id, version }: { id: number; version: number }) =>
  selectVersions(db, id).where('version', '=', version)
)

const selectFirst = prepared((db, { id }: { id: number }) =>
  db
    .selectFrom('graphVersion')
    .select('version')
    .where('graphId', '=', id)
    .where((eb) => eb.not(isPinned(eb)))
    .orderBy('version')
    .limit(1)
)

const countBefore = prepared((db, { id, version }: { id: number; version: number }) =>
  db
    .selectFrom('graphVersion')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('graphId', '=', id)
    .where('version', '<', version)
)

/**
 * Returns the number of versions of the graph, including the current one. Version numbers have no gaps, except among old versions
 * that links show.
 */
export async function countVersions(db: Db, { id, version }: Pick<GraphRow, 'id' | 'version'>): Promise<number> {
  const [oldest] = await selectFirst(db, { id })
  const first = oldest?.version ?? version
  const [before] = await countBefore(db, { id, version: first })
  return version - first + 1 + Number(before?.count ?? 0)
}

/** Returns the version's value for the field that the list is sorted by. */
export function versionSortKey(version: GraphVersion, field: string): SortKey {
  if (field === 'name') return sortNameOf(version.name)
  return version[field as 'version' | 'timestamp' | 'principal' | 'nodeCount' | 'edgeCount']
}

function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graphVersion'>): Expression<SortKey> {
  const columns: Record<string, string> = { timestamp: 'updatedAt', name: 'sortName' }
  return eb.ref((columns[field] ?? field) as 'version')
}

function toVersion(row: ListedVersion): GraphVersion {
  const { version, updatedAt, principal, message, name, nodeCount, edgeCount, auditEventId, restoredFrom } = row
  return {
    version,
    timestamp: updatedAt,
    principal,
    ...(message !== null && { message }),
    name,
    nodeCount,
    edgeCount,
    ...(auditEventId !== null && { auditEventId }),
    ...(restoredFrom !== null && { restoredFrom })
  }
}
