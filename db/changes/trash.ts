import type { SelectQueryBuilder } from 'kysely'
import type { GraphFilter } from '../../schemas/graph.ts'
import type { Slice } from '../../schemas/parameters.ts'
import type { TrashedGraph } from '../../schemas/trash.ts'
import type { Actor } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { preparedByShape } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { FilterShape } from '../filters.ts'
import { NOBODY, requireAccess, whereOwned } from '../graphs/access.ts'
import { hashOf } from '../graphs/contents.ts'
import { describeGraph, GRAPH_COLUMNS, targetOf, toRecord } from '../graphs/graphs.ts'
import { removeGrantsOfGraph, showInLists } from '../graphs/listed-grants.ts'
import { removeViewsOfGraph } from '../graphs/saved-views.ts'
import { keepVersion, removeVersions, takeBackVersion, VERSION_COLUMNS } from '../graphs/versions.ts'
import { graphFilterRules, type RowFilter, sortColumn } from '../lists/graphs.ts'
import { applySlice, type SliceParameters, type SliceShape, sliceParametersOf, sliceShapeOf } from '../paging.ts'
import { removeFromIndex } from '../search/word-index.ts'
import { removeLinksOfGraph } from '../sharing/links.ts'
import { type Db, expectOne, MAX_ID, type Trx } from '../store.ts'
import type { GraphRow, Tables } from '../tables.ts'

/** A graph in the trash, with the time and author of the deletion. */
export interface TrashRow extends GraphRow {
  trashedAt: string
  trashedBy: string
}

/** One day, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** Moves the graph to the trash, with all its versions. */
export async function trashGraph(trx: Trx, actor: Actor, graph: GraphRow) {
  const trashed = await moveToTrash(trx, actor, graph)
  const data = describeChanges({}, { trashedAt: trashed.trashedAt })
  await recordEvent(trx, actor, { type: 'GRAPH_TRASHED', target: targetOf(graph), data })
}

/** Permanently deletes the graph, with all its versions. */
export async function deleteGraph(trx: Trx, actor: Actor, graph: GraphRow) {
  await removeTrashed(trx, actor, await moveToTrash(trx, actor, graph), 'GRAPH_DELETED')
}

/** Permanently deletes a graph from the trash, with all its versions. */
export async function purgeGraph(trx: Trx, actor: Actor, trashed: TrashRow) {
  await removeTrashed(trx, actor, trashed, 'GRAPH_PURGED')
}

/** Restores the graph from the trash, unchanged, and returns it. */
export async function untrashGraph(trx: Trx, actor: Actor, { trashedAt, trashedBy: _, ...graph }: TrashRow) {
  expectOne(await trx.deleteFrom('trash').where('id', '=', graph.id).returning('id').execute())
  await takeBackVersion(trx, { graphId: graph.id, version: graph.version })
  await trx
    .insertInto('graph')
    .values({ ...graph, shared: graph.shared as boolean })
    .execute()
  await showInLists(trx, graph.id, !graph.shared)
  const data = describeChanges({ trashedAt }, {})
  await recordEvent(trx, actor, { type: 'GRAPH_RESTORED', target: targetOf(graph), data })
  return graph
}

/** Moves the graph to the trash. Its last version preserves the graph's state. */
async function moveToTrash(trx: Trx, actor: Actor, graph: GraphRow): Promise<TrashRow> {
  const { id, owner, key, defaultView, version, searchText, createdAt, bytes } = graph
  const trashed = { trashedAt: new Date().toISOString(), trashedBy: actor.principal }
  await keepVersion(trx, graph)
  const same = trx.deleteFrom('graph').where('id', '=', id).where('version', '=', version)
  expectOne(await same.returning('id').execute())
  await trx
    .insertInto('trash')
    .values({ id, owner, key, defaultView, version, searchText, createdAt, bytes, ...trashed })
    .execute()
  await showInLists(trx, id, false)
  return { ...graph, ...trashed }
}

/** Removes the graph from the trash, with as many of its versions as one transaction may remove, and records the event. */
async function removeTrashed(trx: Trx, actor: Actor, trashed: TrashRow, type: 'GRAPH_DELETED' | 'GRAPH_PURGED') {
  const data = describeChanges(describeGraph(trashed, await hashOf(trx, trashed)), {})
  expectOne(await trx.deleteFrom('trash').where('id', '=', trashed.id).returning('id').execute())
  await removeLinksOfGraph(trx, trashed)
  await recordEvent(trx, actor, { type, target: targetOf(trashed), data })
  await removeGrantsOfGraph(trx, trashed.id)
  await removeViewsOfGraph(trx, trashed.id)
  await removeFromIndex(trx, trashed.id)
  const { isDone } = await removeVersions(trx, trashed.id, trashed.version)
  // `removePurged` later removes the rest of a long history.
  if (!isDone) await trx.insertInto('purgedGraph').values({ id: trashed.id }).execute()
}

/** Removes more versions of a permanently deleted graph. Returns whether any may remain. */
export async function removePurged(trx: Trx): Promise<boolean> {
  const first = trx.selectFrom('purgedGraph').select('id').orderBy('id').limit(1)
  const purged = await locked(trx, first, 'forNoKeyUpdate').executeTakeFirst()
  if (!purged) return false
  const { isDone } = await removeVersions(trx, purged.id, MAX_ID)
  if (isDone) await trx.deleteFrom('purgedGraph').where('id', '=', purged.id).execute()
  return true
}

/**
 * Selects the trash as if it were the `graph` table, joining each row to its last version. Kysely cannot infer that the columns
 * are the same.
 */
function selectTrashed(db: Db): SelectQueryBuilder<Tables, 'graph', TrashRow> {
  const rows = db
    .selectFrom('trash')
    .innerJoin('graphVersion', (join) =>
      join.onRef('graphVersion.graphId', '=', 'trash.id').onRef('graphVersion.version', '=', 'trash.version')
    )
    .select(VERSION_COLUMNS.map((column) => `graphVersion.${column}` as const))
    .select(['trash.id', 'owner', 'key', 'defaultView', 'searchText', 'createdAt', 'bytes', 'trashedAt', 'trashedBy'])
  return db.selectFrom(rows.as('graph')).select(['id', ...GRAPH_COLUMNS, 'trashedAt', 'trashedBy']) as never
}

/** Returns a graph in the trash if the actor owns it, or undefined otherwise. Inside a transaction, also locks the row. */
export async function findTrashed(db: Db, actor: Actor, id: number): Promise<TrashRow | undefined> {
  const query = whereOwned(selectTrashed(db), actor).where('id', '=', id)
  return locked(db, query, 'forNoKeyUpdate').executeTakeFirst()
}

/** A query for graphs in the trash. */
export interface TrashQuery {
  actor: Actor
  filter: GraphFilter
}

/** The properties of a query that change its SQL, not just the parameters. */
interface TrashShape {
  isAdministrator: boolean
  filters: FilterShape<RowFilter>
}

type TrashParameters = Required<RowFilter> & { account: string }

function shapeOf({ actor: { isAdministrator }, filter }: TrashQuery): TrashShape {
  return { isAdministrator, filters: graphFilterRules.shapeOf(filter) }
}

function parametersOf({ actor: { account = NOBODY }, filter }: TrashQuery): TrashParameters {
  return { ...graphFilterRules.parametersOf(filter), account }
}

/** Returns whether the filter requests a right other than `OWNER`. Only owners have access to graphs in the trash. */
function asksForOthers({ filter: { access = 'OWNER' } }: TrashQuery) {
  return access !== 'OWNER'
}

function matching(db: Db, { isAdministrator, filters }: TrashShape, parameters: TrashParameters) {
  const owned = whereOwned(selectTrashed(db), { account: parameters.account, isAdministrator })
  return graphFilterRules.apply(owned, filters, parameters)
}

const selectPage = preparedByShape(
  (db, shape: SliceShape & TrashShape, parameters: SliceParameters & TrashParameters) =>
    applySlice(matching(db, shape, parameters), shape, parameters, sortColumn)
)

const selectCount = preparedByShape((db, shape: TrashShape, parameters: TrashParameters) =>
  matching(db, shape, parameters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
)

/** Returns the actor's graphs in the trash, ordered and limited by the slice. They expire after `days` days. */
export async function listTrash(db: Db, query: TrashQuery, slice: Slice, days: number): Promise<TrashedGraph[]> {
  if (asksForOthers(query)) return []
  const shape = { ...sliceShapeOf(slice), ...shapeOf(query) }
  const rows = await selectPage(db, shape, { ...sliceParametersOf(slice), ...parametersOf(query) })
  return rows.map((row) => toTrashed(row, query.actor, days))
}

/** Converts a graph in the trash to an API record for the actor, who owns it. It expires after `days` days. */
export function toTrashed({ trashedAt, trashedBy, ...graph }: TrashRow, actor: Actor, days: number): TrashedGraph {
  return {
    ...toRecord(graph, requireAccess(actor, { ...graph, granted: null })),
    trashedAt,
    trashedBy,
    expiresAt: new Date(Date.parse(trashedAt) + days * DAY).toISOString()
  }
}

/** Returns the number of the actor's graphs in the trash. */
export async function countTrash(db: Db, query: TrashQuery): Promise<number> {
  if (asksForOthers(query)) return 0
  const [counted] = await selectCount(db, shapeOf(query), parametersOf(query))
  return Number(counted?.count ?? 0)
}

/** Returns whether the graph has been in the trash for at least `days`. */
export function isExpired({ trashedAt }: TrashRow, days: number) {
  return trashedAt <= expiredBefore(days)
}

/** Returns the cutoff: graphs deleted by then have been in the trash for at least `days`. */
function expiredBefore(days: number) {
  return new Date(Date.now() - days * DAY).toISOString()
}

/** Returns the ids of at most `limit` graphs that have been in the trash for at least `days`, oldest first. */
export async function findExpired(db: Db, days: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('trash')
    .select('id')
    .where('trashedAt', '<=', expiredBefore(days))
    .orderBy('trashedAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
