import { type ExpressionBuilder, sql } from 'kysely'
import { allColumns, pick, prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { Db, Trx } from '../store.ts'
import type { GraphRow, GraphVersionRow, Tables } from '../tables.ts'
import { contentColumns, dropContent, type KeptContent, withContent } from './contents.ts'

/** The columns of a graph that its versions store. */
export const VERSION_COLUMNS = allColumns<Omit<GraphVersionRow, 'graphId'>>()([
  'version',
  'name',
  'sortName',
  'type',
  'description',
  'shared',
  'tags',
  'nodeCount',
  'edgeCount',
  'contentId',
  'updatedAt',
  'principal',
  'message',
  'auditEventId',
  'restoredFrom'
])

const insertVersion = prepared((trx: Trx, values: GraphVersionRow) =>
  trx.insertInto('graphVersion').values(pick(values, ['graphId', ...VERSION_COLUMNS]) as never)
)

/** Saves the current state of the graph as a version, before a change. */
export async function keepVersion(trx: Trx, { id, ...graph }: GraphRow) {
  await insertVersion(trx, { ...graph, graphId: id })
}

interface VersionKey {
  graphId: number
  version: number
}

/** Removes a version that becomes the current one again. */
export const takeBackVersion = prepared((trx: Trx, { graphId, version }: VersionKey) =>
  trx.deleteFrom('graphVersion').where('graphId', '=', graphId).where('version', '=', version)
)

/**
 * The maximum number of versions and bytes of content that one transaction may remove, because other transactions have to wait
 * for it.
 */
const REMOVED_AT_ONCE = { versions: 50, bytes: 16 * 1024 * 1024 }

/** Returns a condition that is true if a link shows the version. Such versions are never removed. */
export function isPinned({ exists, selectFrom }: ExpressionBuilder<Tables, 'graphVersion'>) {
  return exists(
    selectFrom('link')
      .select('link.id')
      .whereRef('link.graphId', '=', 'graphVersion.graphId')
      .whereRef('link.version', '=', 'graphVersion.version')
  )
}

/** Selects the size of the version's content. */
function sizeOfContent(eb: ExpressionBuilder<Tables, 'graphVersion'>) {
  return eb.selectFrom('content').select('size').whereRef('content.id', '=', 'graphVersion.contentId').as('size')
}

/** A version with the size of its content. */
type SizedVersion = Pick<GraphVersionRow, 'version' | 'contentId'> & { size: number | null }

const selectOldest = prepared((db, { graphId, version }: VersionKey) =>
  db
    .selectFrom('graphVersion')
    .select((eb) => ['version', 'contentId', sizeOfContent(eb)])
    .where('graphId', '=', graphId)
    .where('version', '<=', version)
    .where((eb) => eb.not(isPinned(eb)))
    .orderBy('version')
    .limit(sql.lit(REMOVED_AT_ONCE.versions))
)

const removeUpTo = prepared((trx: Trx, { graphId, version }: VersionKey) =>
  trx
    .deleteFrom('graphVersion')
    .where('graphId', '=', graphId)
    .where('version', '<=', version)
    .where((eb) => eb.not(isPinned(eb)))
)

/** The progress of removing versions. */
export interface Removed {
  /** Whether everything has been removed. */
  isDone: boolean
  /** The number of bytes freed from the graph's usage. */
  bytes: number
}

/**
 * Removes versions up to and including `upTo`, oldest first, and content that nothing else refers to, up to the limit per
 * transaction. Keeps versions that links show. The transaction must have locked the graph, because two transactions that read
 * the same versions would subtract their bytes twice.
 */
export async function removeVersions(trx: Trx, graphId: number, upTo: number): Promise<Removed> {
  const rows = await selectOldest(trx, { graphId, version: upTo })
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

const selectPinned = prepared((db, { graphId, version }: VersionKey) =>
  db
    .selectFrom('graphVersion')
    .select((eb) => ['version', 'contentId', sizeOfContent(eb)])
    .where('graphId', '=', graphId)
    .where('version', '<=', version)
    .where(isPinned)
    .orderBy('version')
)

const selectNext = prepared((db, { graphId, version }: VersionKey) =>
  db
    .selectFrom('graphVersion')
    .select(['version', 'contentId'])
    .where('graphId', '=', graphId)
    .where('version', '>', version)
    .orderBy('version')
    .limit(1)
)

/**
 * Returns the total size of successive versions in bytes. Adjacent versions with the same content count once. `next` is the
 * content of the version that follows.
 */
function bytesOf(rows: readonly SizedVersion[], next: number | null) {
  const following = [...rows.slice(1).map(({ contentId }) => contentId), next]
  return rows.reduce((sum, { contentId, size }, index) => sum + (contentId === following[index] ? 0 : (size ?? 0)), 0)
}

/**
 * Subtracts the size of these versions, in bytes, from the total of the graph or trash entry, and returns that size. They must
 * be the oldest versions, except those that links show.
 */
async function giveBack(trx: Trx, graphId: number, rows: readonly SizedVersion[]) {
  const version = rows.at(-1)?.version ?? 0
  const pinned = await selectPinned(trx, { graphId, version })
  const [earlier] = await selectNext(trx, { graphId, version })
  const current = earlier
    ? undefined
    : await trx.selectFrom('graph').select('contentId').where('id', '=', graphId).executeTakeFirst()
  const next = (earlier ?? current)?.contentId ?? null
  const all = [...rows, ...pinned].sort((a, b) => a.version - b.version)
  const bytes = bytesOf(all, next) - bytesOf(pinned, next)
  if (bytes === 0) return 0
  for (const table of ['graph', 'trash'] as const) {
    await trx
      .updateTable(table)
      .set((eb) => ({ bytes: eb('bytes', '-', bytes) }))
      .where('id', '=', graphId)
      .execute()
  }
  return bytes
}

/** Returns the ids of graphs that may have more than this number of versions, in order, starting after the id `after`. */
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

/** Removes the graph's oldest versions until `versions` are left. Returns whether all excess versions have been removed. */
export async function trimHistory(trx: Trx, id: number, versions: number): Promise<boolean> {
  const versionIn = (table: 'graph' | 'trash') => {
    const query = trx.selectFrom(table).select('version').where('id', '=', id)
    return locked(trx, query, 'forNoKeyUpdate').executeTakeFirst()
  }
  const current = (await versionIn('graph')) ?? (await versionIn('trash'))
  return current === undefined || (await removeVersions(trx, id, current.version - versions)).isDone
}

const selectEarlier = prepared((db, { graphId, version }: VersionKey) =>
  db
    .selectFrom('graphVersion')
    .select(VERSION_COLUMNS)
    .select(contentColumns('graphVersion'))
    .where('graphId', '=', graphId)
    .where('version', '=', version)
)

/** A graph as it was at a version, with the content of that version. */
export type VersionWithContent = Omit<GraphRow, 'searchText' | 'bytes'> & { content: KeptContent | null }

/** Returns the graph as it was at an earlier version, or undefined if that version no longer exists. */
export async function findEarlier(
  db: Db,
  { id, owner, key, defaultView, createdAt }: Pick<GraphRow, 'id' | 'owner' | 'key' | 'defaultView' | 'createdAt'>,
  version: number
): Promise<VersionWithContent | undefined> {
  const [row] = await selectEarlier(db, { graphId: id, version })
  return row && { ...withContent(row), id, owner, key, defaultView, createdAt }
}
