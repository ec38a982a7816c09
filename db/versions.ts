import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Slice, SortKey } from '../schemas/parameters.ts'
import type { GraphVersion } from '../schemas/version.ts'
import { dropContent, type KeptContent, withContent } from './contents.ts'
import { parametersOf, type SliceParameters, type SliceShape, shapeOf, sliced } from './paging.ts'
import { pick, prepared, preparedByShape } from './prepared.ts'
import type { Db, Reader } from './store.ts'
import type { GraphRow, GraphVersionRow, Tables } from './tables.ts'

/** What a graph has at each version, and what it keeps of it. */
export const VERSION_COLUMNS = [
  'version',
  'name',
  'type',
  'description',
  'shared',
  'nodeCount',
  'edgeCount',
  'contentId',
  'updatedAt',
  'principal',
  'message',
  'auditEventId',
  'restoredFrom'
] as const satisfies (keyof GraphRow & keyof GraphVersionRow)[]

const insertVersion = prepared((db, values: GraphVersionRow) =>
  db.insertInto('graphVersion').values(pick(values, ['graphId', ...VERSION_COLUMNS]) as never)
)

/** Keeps the graph as it is among its versions, before it becomes another. */
export async function keepVersion(trx: Db, { id, ...graph }: GraphRow) {
  await insertVersion(trx, { ...graph, graphId: id })
}

interface Place {
  graphId: number
  version: number
}

const removeVersion = prepared((db, { graphId, version }: Place) =>
  db.deleteFrom('graphVersion').where('graphId', '=', graphId).where('version', '=', version)
)

/** Takes the version away from those that were, since it is the graph again. */
export async function unkeepVersion(trx: Db, place: Place) {
  await removeVersion(trx, place)
}

/** What one unit removes at most, since others wait for it: versions, and bytes of their content. */
const REMOVED_AT_ONCE = { versions: 200, bytes: 64 * 1024 * 1024 }

/** The oldest versions up to this one. */
const oldest = prepared((db, { graphId, version }: Place) =>
  db
    .selectFrom('graphVersion')
    .select((eb) => [
      'version',
      'contentId',
      eb.selectFrom('content').select('size').whereRef('content.id', '=', 'graphVersion.contentId').as('size')
    ])
    .where('graphId', '=', graphId)
    .where('version', '<=', version)
    .orderBy('version')
    .limit(sql.lit(REMOVED_AT_ONCE.versions))
)

const removeUpTo = prepared((db, { graphId, version }: Place) =>
  db.deleteFrom('graphVersion').where('graphId', '=', graphId).where('version', '<=', version)
)

/**
 * Removes versions up to this one, the oldest first, and what only they referred to: as many as one unit may.
 * Returns whether those were all.
 */
export async function removeVersions(trx: Db, graphId: number, upTo: number): Promise<boolean> {
  const rows = await oldest(trx, { graphId, version: upTo })
  const contents = new Set<number>()
  let bytes = 0
  let last: number | undefined
  for (const { version, contentId, size } of rows) {
    if (bytes > REMOVED_AT_ONCE.bytes) break
    last = version
    if (contentId === null || contents.has(contentId)) continue
    contents.add(contentId)
    bytes += size ?? 0
  }
  if (last === undefined) return true
  await removeUpTo(trx, { graphId, version: last })
  for (const id of contents) await dropContent(trx, id)
  return rows.length < REMOVED_AT_ONCE.versions && last === rows.at(-1)?.version
}

/** Ids of graphs that may have more versions than so many, in order, from the one after `after` on. */
export async function findLongHistories(db: Db, versions: number, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('graphVersion')
    .select('graphId')
    .where('graphId', '>', after)
    .groupBy('graphId')
    .having((eb) => eb.fn.countAll<number>(), '>=', versions)
    .orderBy('graphId')
    .limit(limit)
    .execute()
  return rows.map(({ graphId }) => graphId)
}

/** Removes the oldest versions of the graph, so that so many are left; returns whether that is done. */
export async function trimHistory(trx: Db, id: number, versions: number): Promise<boolean> {
  const current =
    (await trx.selectFrom('graph').select('version').where('id', '=', id).executeTakeFirst()) ??
    (await trx.selectFrom('trash').select('version').where('id', '=', id).executeTakeFirst())
  return current === undefined || removeVersions(trx, id, current.version - versions)
}

const earlier = prepared((db, { graphId, version }: Place) =>
  db
    .selectFrom('graphVersion')
    .select(VERSION_COLUMNS)
    .select((eb) => [
      eb.selectFrom('content').select('json').whereRef('content.id', '=', 'graphVersion.contentId').as('json'),
      eb.selectFrom('content').select('size').whereRef('content.id', '=', 'graphVersion.contentId').as('size')
    ])
    .where('graphId', '=', graphId)
    .where('version', '=', version)
)

/** A graph as it was, with the content that it had. */
export type VersionWithContent = Omit<GraphRow, 'searchText'> & { content: KeptContent | null }

/**
 * The graph as it was at a version before its own, or undefined where that is not kept. Of large contents the bytes
 * may be left out where they are not needed, as `isHeld` tells of their ids.
 */
export async function findEarlier(
  db: Db,
  { id, owner, createdAt }: Pick<GraphRow, 'id' | 'owner' | 'createdAt'>,
  version: number,
  isHeld?: (contentId: number) => boolean
): Promise<VersionWithContent | undefined> {
  const found = await withContent(db, async () => (await earlier(db, { graphId: id, version }))[0], isHeld)
  return found && { ...found, id, owner, createdAt }
}

type ListedVersion = Pick<
  GraphRow,
  | 'version'
  | 'updatedAt'
  | 'principal'
  | 'message'
  | 'name'
  | 'nodeCount'
  | 'edgeCount'
  | 'auditEventId'
  | 'restoredFrom'
>
const LISTED_COLUMNS = [
  'version',
  'updatedAt',
  'principal',
  'message',
  'name',
  'nodeCount',
  'edgeCount',
  'restoredFrom'
] as const

/** The event that made a version: of the first it is the first of the graph, which was there when the graph was not yet. */
function eventOf(eb: ExpressionBuilder<Tables, 'graph' | 'graphVersion'>, graphId: number) {
  const first = eb
    .selectFrom('auditEvent')
    .select((eb) => eb.fn.min('id').as('id'))
    .where('targetType', '=', sql.lit('GRAPH' as const))
    .where('targetId', '=', graphId)
  return eb.fn.coalesce('auditEventId', first).as('auditEventId')
}

type VersionQuery = SelectQueryBuilder<Tables, 'graphVersion', ListedVersion>

function versionsOf(db: Db, id: number): VersionQuery {
  const current = db
    .selectFrom('graph')
    .select(LISTED_COLUMNS)
    .select((eb) => eventOf(eb as never, id))
    .where('id', '=', id)
  const kept = db
    .selectFrom('graphVersion')
    .select(LISTED_COLUMNS)
    .select((eb) => eventOf(eb as never, id))
    .where('graphId', '=', id)
  return db.selectFrom(kept.unionAll(current).as('graphVersion')).selectAll() as never
}

const page = preparedByShape((db, shape: SliceShape, parameters: SliceParameters & { id: number }) =>
  sliced(versionsOf(db, parameters.id), shape, parameters, sortColumn)
)

/** The versions of the graph that are kept, and the current one, in the order of the slice. */
export async function listVersions({ read, scan }: Reader, id: number, slice: Slice): Promise<GraphVersion[]> {
  const isNear = slice.sorts[0]?.field === 'version' && slice.offset === 0
  const rows = await page(isNear ? read : scan, shapeOf(slice), { id, ...parametersOf(slice) })
  return rows.map(toVersion)
}

/** The version of the graph as lists show it, or undefined where it is not kept. */
export async function findVersion(db: Db, id: number, version: number): Promise<GraphVersion | undefined> {
  const [row] = await listed(db, { id, version })
  return row && toVersion(row)
}

const listed = prepared((db, { id, version }: { id: number; version: number }) =>
  versionsOf(db, id).where('version', '=', version)
)

const first = prepared((db, { id }: { id: number }) =>
  db
    .selectFrom('graphVersion')
    .select((eb) => eb.fn.min('version').as('version'))
    .where('graphId', '=', id)
)

/** How many versions of the graph there are, the current one among them: they have no gaps. */
export async function countVersions(db: Db, { id, version }: Pick<GraphRow, 'id' | 'version'>): Promise<number> {
  const [oldest] = await first(db, { id })
  return version - (oldest?.version ?? version) + 1
}

/** What a version is sorted by in this field. */
export function versionSortKey(version: GraphVersion, field: string): SortKey {
  return version[field as 'version' | 'timestamp' | 'principal' | 'name' | 'nodeCount' | 'edgeCount']
}

function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graphVersion'>): Expression<SortKey> {
  return eb.ref((field === 'timestamp' ? 'updatedAt' : field) as 'version')
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
    auditEventId: auditEventId as number,
    ...(restoredFrom !== null && { restoredFrom })
  }
}
