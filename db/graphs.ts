import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { GraphFilter, GraphRecord } from '../schemas/graph.ts'
import type { StoredContent } from '../schemas/graph-content.ts'
import type { Slice, SortKey } from '../schemas/parameters.ts'
import { type Actor, changes, recordEvent } from './audits.ts'
import { sliced } from './paging.ts'
import type { Db } from './store.ts'
import type { GraphRow, Tables } from './tables.ts'

/** What a client says about a graph. */
export interface GraphValues {
  name: string
  type: string | null
  description: string | null
  shared: boolean
}

/** A graph that the actor may read, or undefined: the invisible is as good as none. */
export function findGraph(db: Db, actor: Actor, id: number): Promise<GraphRow | undefined> {
  return db
    .selectFrom('graph')
    .selectAll('graph')
    .where('graph.id', '=', id)
    .where((eb) => isVisible(eb, actor))
    .executeTakeFirst()
}

/**
 * The same together with its content: in one statement, since the content may be gone at the next. Not by a join,
 * which the planner turns into a scan where few contents are stored.
 */
export function findGraphWithContent(db: Db, actor: Actor, id: number) {
  return db
    .selectFrom('graph')
    .selectAll('graph')
    .select((eb) => [
      eb.selectFrom('content').select('body').whereRef('hash', '=', 'graph.contentHash').as('body'),
      eb.selectFrom('content').select('encoding').whereRef('hash', '=', 'graph.contentHash').as('encoding')
    ])
    .where('graph.id', '=', id)
    .where((eb) => isVisible(eb, actor))
    .executeTakeFirst()
}

/** The graphs that the actor may read and the filter lets through, in the order of the slice. */
export async function listGraphs(db: Db, actor: Actor, filter: GraphFilter, slice: Slice): Promise<GraphRecord[]> {
  const rows = await sliced(matching(db.selectFrom('graph').selectAll(), actor, filter), slice, sortColumn).execute()
  return rows.map(toRecord)
}

/** How many graphs that the actor may read the filter lets through. */
export async function countGraphs(db: Db, actor: Actor, filter: GraphFilter): Promise<number> {
  const count = db.selectFrom('graph').select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await matching(count, actor, filter).executeTakeFirstOrThrow()).count)
}

/** All graphs that the user owns and all that are shared, by id. */
export async function listOwnAndShared(db: Db, login: string): Promise<GraphRecord[]> {
  const rows = await db
    .selectFrom('graph')
    .selectAll()
    .where((eb) => isOwnOrShared(eb, login))
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

/** What the graph is sorted by in this field; the same as sortColumn() gives. */
export function graphSortKey(graph: GraphRecord, field: string): SortKey {
  const value = graph[field as keyof GraphRecord] ?? ''
  return typeof value === 'boolean' ? Number(value) : value
}

/** Creates the graph of the owner. */
export async function createGraph(
  trx: Db,
  actor: Actor,
  owner: string,
  values: GraphValues,
  content: StoredContent | undefined
): Promise<GraphRow> {
  const now = new Date().toISOString()
  const graph = await trx
    .insertInto('graph')
    .values({
      ...values,
      ...(await keepContent(trx, content)),
      owner,
      version: 1,
      searchText: searchable(values),
      createdAt: now,
      updatedAt: now
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = changes({}, described(graph))
  await recordEvent(trx, actor, { type: 'GRAPH_CREATED', target: targetOf(graph), data })
  return graph
}

/** Changes the graph; content that is undefined stays, and null is removed. Where nothing differs, nothing happens. */
export async function updateGraph(
  trx: Db,
  actor: Actor,
  before: GraphRow,
  values: GraphValues,
  content: StoredContent | null | undefined
): Promise<GraphRow> {
  const kept = content === undefined ? contentOf(before) : await keepContent(trx, content)
  const wanted = { ...before, ...values, ...kept }
  if (Object.keys(changes(described(before), described(wanted))).length === 0) return before

  const after = await trx
    .updateTable('graph')
    .set({
      ...values,
      ...kept,
      version: before.version + 1,
      searchText: searchable(values),
      updatedAt: new Date().toISOString()
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (before.contentHash !== after.contentHash) await dropContent(trx, before.contentHash)

  await recordChanges(trx, actor, before, after)
  return after
}

/** Deletes the graph. */
export async function deleteGraph(trx: Db, actor: Actor, graph: GraphRow) {
  await trx.deleteFrom('graph').where('id', '=', graph.id).execute()
  await dropContent(trx, graph.contentHash)
  const data = changes(described(graph), {})
  await recordEvent(trx, actor, { type: 'GRAPH_DELETED', target: targetOf(graph), data })
}

/** The graph as an event names it. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** The graph as lists show it. */
export function toRecord(row: GraphRow): GraphRecord {
  const { id, name, type, description, shared, owner, version, nodeCount, edgeCount, createdAt, updatedAt } = row
  return {
    id,
    name,
    ...(type !== null && { type }),
    ...(description !== null && { description }),
    shared: Boolean(shared),
    owner,
    version,
    nodeCount,
    edgeCount,
    createdAt,
    updatedAt
  }
}

type GraphExpressions = ExpressionBuilder<Tables, 'graph'>

function isVisible(eb: GraphExpressions, { login, role }: Actor): Expression<SqlBool> {
  return role === 'ADMIN' ? eb.lit(true) : isOwnOrShared(eb, login)
}

function isOwnOrShared(eb: GraphExpressions, login: string) {
  return eb.or([eb('graph.owner', '=', login), eb('graph.shared', '=', true)])
}

function matching<O>(query: SelectQueryBuilder<Tables, 'graph', O>, actor: Actor, filter: GraphFilter) {
  const { type, owner, shared, q } = filter
  let matched = query
  if (actor.role !== 'ADMIN') matched = matched.where((eb) => isVisible(eb, actor))
  if (type !== undefined) matched = matched.where('type', '=', type)
  if (owner !== undefined) matched = matched.where('owner', '=', owner)
  if (shared !== undefined) matched = matched.where('shared', '=', shared)
  if (q !== undefined) matched = matched.where(sql`instr("searchText", ${fold(q)})`, '>', 0)
  return matched
}

/** Absent text sorts like an empty one, so that every engine puts it in the same place. */
function sortColumn(field: string, eb: GraphExpressions): Expression<SortKey> {
  if (field === 'type' || field === 'description') return eb.fn.coalesce(field, sql.lit('')) as Expression<SortKey>
  return eb.ref(field as 'id')
}

/** Name and description in the form in which `q` finds them; the separator stands in neither. */
function searchable({ name, description }: Pick<GraphValues, 'name' | 'description'>) {
  return fold(`${name}\n${description ?? ''}`)
}

/** Upper or lower case and the way that accents are composed do not matter for finding. */
function fold(text: string) {
  return text.normalize('NFC').toLowerCase()
}

type ContentColumns = Pick<GraphRow, 'contentHash' | 'nodeCount' | 'edgeCount'>

function contentOf({ contentHash, nodeCount, edgeCount }: GraphRow): ContentColumns {
  return { contentHash, nodeCount, edgeCount }
}

/** Stores the content, unless it is there already, and returns what the record says of it. */
async function keepContent(trx: Db, content: StoredContent | null | undefined): Promise<ContentColumns> {
  if (!content) return { contentHash: null, nodeCount: 0, edgeCount: 0 }
  const { hash, body, encoding, nodeCount, edgeCount } = content
  await trx
    .insertInto('content')
    .values({ hash, body, encoding })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
  return { contentHash: hash, nodeCount, edgeCount }
}

/** Removes the content that no graph refers to any more. */
async function dropContent(trx: Db, hash: string | null) {
  if (hash === null) return
  await trx
    .deleteFrom('content')
    .where('hash', '=', hash)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('graph').select('id').where('contentHash', '=', hash))))
    .execute()
}

/** Sharing is an event of its own, since it is what people ask for; the rest of a change is another. */
async function recordChanges(trx: Db, actor: Actor, before: GraphRow, after: GraphRow) {
  const target = targetOf(after)
  const { 'shared.old': wasShared, 'shared.new': isShared, ...rest } = changes(described(before), described(after))
  const version = changes({ version: before.version }, { version: after.version })
  if (Object.keys(rest).length > 0) {
    await recordEvent(trx, actor, { type: 'GRAPH_UPDATED', target, data: { ...rest, ...version } })
  }
  if (wasShared !== isShared) {
    const type = isShared === 'true' ? 'GRAPH_SHARED' : 'GRAPH_UNSHARED'
    const data = { 'shared.old': wasShared, 'shared.new': isShared, ...version }
    await recordEvent(trx, actor, { type, target, data })
  }
}

/** What an event tells of a graph: each scalar field that can change, and of content only its hash and counts. */
function described({ name, type, description, shared, contentHash, nodeCount, edgeCount }: Omit<GraphRow, 'id'>) {
  return { name, type, description, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}
