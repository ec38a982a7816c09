import type { SelectQueryBuilder } from 'kysely'
import type { GraphFilter } from '../schemas/graph.ts'
import type { Slice } from '../schemas/parameters.ts'
import type { TrashedGraph } from '../schemas/trash.ts'
import { requireAccess, whereOwned } from './access.ts'
import type { Actor } from './actors.ts'
import { changes, recordEvent } from './audits.ts'
import { hashOf } from './contents.ts'
import { locked } from './engine/row-locks.ts'
import { graphFilters, sortColumn } from './graph-lists.ts'
import { COLUMNS, described, targetOf, toRecord } from './graphs.ts'
import { parametersOf, shapeOf, applySlice, withSafeKeys } from './paging.ts'
import { type Db, expectOne, MAX_ID, type Trx } from './store.ts'
import type { GraphRow, Tables } from './tables.ts'
import { keepVersion, removeVersions, takeBackVersion, VERSION_COLUMNS } from './versions.ts'

/** A graph in the trash: what it was, and who put it there. */
export interface TrashRow extends GraphRow {
  trashedAt: string
  trashedBy: string
}

/** In milliseconds. */
const DAY = 24 * 60 * 60 * 1000

/** Puts the graph into the trash, with all its versions. */
export async function trashGraph(trx: Trx, actor: Actor, graph: GraphRow) {
  const trashed = await toTrash(trx, actor, graph)
  const data = changes({}, { trashedAt: trashed.trashedAt })
  await recordEvent(trx, actor, { type: 'GRAPH_TRASHED', target: targetOf(graph), data })
}

/** Deletes the graph for good, with all its versions. */
export async function deleteGraph(trx: Trx, actor: Actor, graph: GraphRow) {
  await remove(trx, actor, await toTrash(trx, actor, graph), 'GRAPH_DELETED')
}

/** The graph that leaves the trash for good, with all its versions. */
export async function purgeGraph(trx: Trx, actor: Actor, trashed: TrashRow) {
  await remove(trx, actor, trashed, 'GRAPH_PURGED')
}

/** Takes the graph out of the trash: it is as it was. */
export async function untrashGraph(trx: Trx, actor: Actor, { trashedAt, trashedBy: _, ...graph }: TrashRow) {
  expectOne(await trx.deleteFrom('trash').where('id', '=', graph.id).returning('id').execute())
  await takeBackVersion(trx, { graphId: graph.id, version: graph.version })
  await trx
    .insertInto('graph')
    .values({ ...graph, shared: graph.shared as boolean })
    .execute()
  const data = changes({ trashedAt }, {})
  await recordEvent(trx, actor, { type: 'GRAPH_RESTORED', target: targetOf(graph), data })
  return graph
}

/** What is in the trash is as its last version says. */
async function toTrash(trx: Trx, actor: Actor, graph: GraphRow): Promise<TrashRow> {
  const { id, owner, version, searchText, createdAt, bytes } = graph
  const trashed = { trashedAt: new Date().toISOString(), trashedBy: actor.principal }
  await keepVersion(trx, graph)
  const same = trx.deleteFrom('graph').where('id', '=', id).where('version', '=', version)
  expectOne(await same.returning('id').execute())
  await trx
    .insertInto('trash')
    .values({ id, owner, version, searchText, createdAt, bytes, ...trashed })
    .execute()
  return { ...graph, ...trashed }
}

async function remove(trx: Trx, actor: Actor, trashed: TrashRow, type: 'GRAPH_DELETED' | 'GRAPH_PURGED') {
  const data = changes(described(trashed, await hashOf(trx, trashed)), {})
  expectOne(await trx.deleteFrom('trash').where('id', '=', trashed.id).returning('id').execute())
  await recordEvent(trx, actor, { type, target: targetOf(trashed), data })
  const { isDone } = await removeVersions(trx, trashed.id, trashed.version)
  // Of a long history the rest has to wait, see removePurged().
  if (!isDone) await trx.insertInto('purgedGraph').values({ id: trashed.id }).execute()
}

/** Goes on removing the versions of a graph that is gone for good. Returns whether there may be more to do. */
export async function removePurged(trx: Trx): Promise<boolean> {
  const purged = await withSafeKeys(trx.selectFrom('purgedGraph').select('id'), 'id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!purged) return false
  const { isDone } = await removeVersions(trx, purged.id, MAX_ID)
  if (isDone) await trx.deleteFrom('purgedGraph').where('id', '=', purged.id).execute()
  return true
}

/**
 * What is in the trash, as graphs with who put it there: `graph` here is what the trash and last versions say, which Kysely
 * cannot know.
 */
function selectTrashed(db: Db): SelectQueryBuilder<Tables, 'graph', TrashRow> {
  const rows = db
    .selectFrom('trash')
    .innerJoin('graphVersion', (join) =>
      join.onRef('graphVersion.graphId', '=', 'trash.id').onRef('graphVersion.version', '=', 'trash.version')
    )
    .select(VERSION_COLUMNS.map((column) => `graphVersion.${column}` as const))
    .select(['trash.id', 'owner', 'searchText', 'createdAt', 'bytes', 'trashedAt', 'trashedBy'])
  return db.selectFrom(rows.as('graph')).select(['id', ...COLUMNS, 'trashedAt', 'trashedBy']) as never
}

/** A graph in the trash that the actor may have back, or undefined. Inside of a unit it stays as it is. */
export async function findTrashed(db: Db, actor: Actor, id: number): Promise<TrashRow | undefined> {
  const query = whereOwned(selectTrashed(db), actor).where('id', '=', id)
  return locked(db, query, 'forNoKeyUpdate').executeTakeFirst()
}

/** Who asks for what in the trash. */
interface TrashQuery {
  actor: Actor
  filter: GraphFilter
}

function matching(db: Db, { actor, filter }: TrashQuery) {
  const owned = whereOwned(selectTrashed(db), actor)
  return graphFilters.apply(owned, graphFilters.shapeOf(filter), graphFilters.parametersOf(filter))
}

/** The graphs in the trash that the actor may have back, in the order of the slice, with when they expire. */
export async function listTrash(db: Db, query: TrashQuery, slice: Slice, days: number): Promise<TrashedGraph[]> {
  const rows = withSafeKeys(matching(db, query), 'id')
  const sorted = applySlice(rows, shapeOf(slice), parametersOf(slice), sortColumn)
  return (await sorted.execute()).map(({ trashedAt, trashedBy, ...graph }) => ({
    ...toRecord(graph, requireAccess(query.actor, graph)),
    trashedAt,
    trashedBy,
    expiresAt: new Date(Date.parse(trashedAt) + days * DAY).toISOString()
  }))
}

/** How many there are. */
export async function countTrash(db: Db, query: TrashQuery): Promise<number> {
  const counted = matching(db, query)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Whether the graph has been in the trash for so many days. */
export function isExpired({ trashedAt }: TrashRow, days: number) {
  return trashedAt <= expiry(days)
}

function expiry(days: number) {
  return new Date(Date.now() - days * DAY).toISOString()
}

/** Ids of graphs that have been in the trash for so many days, the oldest first; so many at most. */
export async function findExpired(db: Db, days: number, limit: number): Promise<number[]> {
  const rows = await withSafeKeys(db.selectFrom('trash').select('id'), 'id')
    .where('trashedAt', '<=', expiry(days))
    .orderBy('trashedAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
