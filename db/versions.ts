import { sql } from 'kysely'
import { contentColumns, dropContent, type KeptContent, withContent } from './contents.ts'
import { pick, prepared } from './engine/prepared.ts'
import { locked } from './engine/row-locks.ts'
import { withSafeKeys } from './paging.ts'
import { type Db, MAX_ID, type Trx } from './store.ts'
import type { GraphRow, GraphVersionRow } from './tables.ts'

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

const insertVersion = prepared((trx: Trx, values: GraphVersionRow) =>
  trx.insertInto('graphVersion').values(pick(values, ['graphId', ...VERSION_COLUMNS]) as never)
)

/** Keeps the graph as it is among its versions, before it becomes another. */
export async function keepVersion(trx: Trx, { id, ...graph }: GraphRow) {
  await insertVersion(trx, { ...graph, graphId: id })
}

interface Place {
  graphId: number
  version: number
}

/** Takes the version away from those that were, since it is the graph again. */
export const takeBackVersion = prepared((trx: Trx, { graphId, version }: Place) =>
  trx.deleteFrom('graphVersion').where('graphId', '=', graphId).where('version', '=', version)
)

/** What one unit removes at most, since others wait for it: versions, and bytes of their content. */
const REMOVED_AT_ONCE = { versions: 50, bytes: 16 * 1024 * 1024 }

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

const removeUpTo = prepared((trx: Trx, { graphId, version }: Place) =>
  trx.deleteFrom('graphVersion').where('graphId', '=', graphId).where('version', '<=', version)
)

/** What one unit has removed of the versions that are to go. */
export interface Removed {
  /** Whether those were all. */
  isDone: boolean
  /** The bytes of content by which the graph takes less now. */
  bytes: number
}

/**
 * Removes versions up to this one, the oldest first, and what only they referred to: as many as one unit may. The unit
 * has locked the graph: two that read the same versions would each take off their bytes.
 */
export async function removeVersions(trx: Trx, graphId: number, upTo: number): Promise<Removed> {
  // Numbers of versions beyond that are not read exactly: it would not come to an end.
  const rows = await oldest(trx, { graphId, version: Math.min(upTo, MAX_ID) })
  const contents = new Set<number>()
  let size = 0
  let last: number | undefined
  for (const row of rows) {
    if (size > REMOVED_AT_ONCE.bytes) break
    last = row.version
    if (row.contentId === null || contents.has(row.contentId)) continue
    contents.add(row.contentId)
    size += row.size ?? 0
  }
  if (last === undefined) return { isDone: true, bytes: 0 }
  const bytes = await giveBack(trx, graphId, rows.slice(0, rows.findIndex(({ version }) => version === last) + 1))
  await removeUpTo(trx, { graphId, version: last })
  for (const id of contents) await dropContent(trx, id)
  return { isDone: rows.length < REMOVED_AT_ONCE.versions && last === rows.at(-1)?.version, bytes }
}

/** Takes from the bytes of the graph what these versions, the oldest, account for, and returns it; a graph that is gone has none. */
async function giveBack(
  trx: Trx,
  graphId: number,
  rows: { version: number; contentId: number | null; size: number | null }[]
) {
  const tables = ['graph', 'trash'] as const
  const version = (rows.at(-1)?.version ?? 0) + 1
  const [next] = [
    ...(await trx
      .selectFrom('graphVersion')
      .select('contentId')
      .where('graphId', '=', graphId)
      .where('version', '=', version)
      .execute()),
    ...(await trx
      .selectFrom('graph')
      .select('contentId')
      .where('id', '=', graphId)
      .where('version', '=', version)
      .execute())
  ]
  const following = [...rows.slice(1), next]
  let bytes = 0
  for (const [index, { contentId, size }] of rows.entries()) {
    if (contentId !== (following[index]?.contentId ?? null)) bytes += size ?? 0
  }
  if (bytes === 0) return 0
  for (const table of tables) {
    await trx
      .updateTable(table)
      .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
      .where('id', '=', graphId)
      .execute()
  }
  return bytes
}

/** Ids of graphs that may have more versions than so many, in order, from the one after `after` on. */
export async function findLongHistories(db: Db, versions: number, after: number, limit: number): Promise<number[]> {
  const rows = await withSafeKeys(db.selectFrom('graphVersion').select('graphId'), 'graphId')
    .where('graphId', '>', after)
    .groupBy('graphId')
    .having((eb) => eb.fn.countAll<number>(), '>=', versions)
    .orderBy('graphId')
    .limit(limit)
    .execute()
  return rows.map(({ graphId }) => graphId)
}

/** Removes the oldest versions of the graph, so that so many are left; returns whether that is done. */
export async function trimHistory(trx: Trx, id: number, versions: number): Promise<boolean> {
  const versionIn = (table: 'graph' | 'trash') => {
    const query = trx.selectFrom(table).select('version').where('id', '=', id)
    return locked(trx, query, 'forNoKeyUpdate').executeTakeFirst()
  }
  const current = (await versionIn('graph')) ?? (await versionIn('trash'))
  return current === undefined || (await removeVersions(trx, id, current.version - versions)).isDone
}

const earlier = prepared((db, { graphId, version }: Place) =>
  db
    .selectFrom('graphVersion')
    .select(VERSION_COLUMNS)
    .select(contentColumns('graphVersion'))
    .where('graphId', '=', graphId)
    .where('version', '=', version)
)

/** A graph as it was at a version, with its content of that time. */
export type VersionWithContent = Omit<GraphRow, 'searchText' | 'bytes'> & { content: KeptContent | null }

/** Returns the graph as it was at an earlier version, or undefined if that is not kept. */
export async function findEarlier(
  db: Db,
  { id, owner, createdAt }: Pick<GraphRow, 'id' | 'owner' | 'createdAt'>,
  version: number
): Promise<VersionWithContent | undefined> {
  const [row] = await earlier(db, { graphId: id, version })
  return row && { ...withContent(row), id, owner, createdAt }
}
