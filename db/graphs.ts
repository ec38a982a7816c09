import { type GraphRecord, graphSorts } from '../schemas/graph.ts'
import type { StoredContent } from '../schemas/graph-content.ts'
import { type Lookup, lookupOf, selectVisible } from './access.ts'
import type { Actor } from './actors.ts'
import { changes, recordEvent } from './audits.ts'
import { hashed, hashOf, type KeptContent, keepContent, withContent } from './contents.ts'
import { pick, prepared } from './engine/prepared.ts'
import { searchable } from './search.ts'
import { type Db, expectId, expectOne, locksRows, type Trx } from './store.ts'
import type { GraphRow, GraphVersionRow } from './tables.ts'
import { findEarlier, keepVersion, removeVersions, VERSION_COLUMNS } from './versions.ts'

/** What a client says about a graph. */
export interface GraphValues {
  name: string
  type: string | null
  description: string | null
  shared: boolean
}

/** Every column but the id. */
export const COLUMNS = [...VERSION_COLUMNS, 'owner', 'searchText', 'createdAt', 'bytes'] as const

/** The columns that clients see, which are also those to sort by. */
export const LISTED = graphSorts

const byId = prepared((db, lookup: Lookup) => selectVisible(db, lookup).selectAll())
const byIdLocked = prepared((trx: Trx, lookup: Lookup) => selectVisible(trx, lookup).selectAll().forNoKeyUpdate())

// Not by joins: SQLite plans one that has a parameter anew each time.
const withJson = prepared((db, lookup: Lookup) =>
  selectVisible(db, lookup)
    .select(LISTED)
    .select((eb) => [
      'contentId',
      eb.selectFrom('content').select(hashed).whereRef('content.id', '=', 'graph.contentId').as('hashed'),
      eb.selectFrom('content').select('size').whereRef('content.id', '=', 'graph.contentId').as('size')
    ])
)

/** A graph that the actor may read, or undefined: the invisible is as good as none. Inside of a unit it stays as it is. */
export async function findGraph(db: Db, actor: Actor, id: number): Promise<GraphRow | undefined> {
  const lookup = lookupOf(actor, id)
  const [graph] = await (locksRows(db) ? byIdLocked(db, lookup) : byId(db, lookup))
  return graph
}

/** A graph with the content that belongs to it. */
export type GraphWithContent = GraphAsListed & { content: KeptContent | null }

/**
 * The same together with its content; of large contents the bytes may be left out where they are not needed, as
 * `isHeld` tells of their ids.
 */
export async function findGraphWithContent(
  db: Db,
  actor: Actor,
  id: number,
  isHeld?: (contentId: number) => Promise<boolean>
): Promise<GraphWithContent | undefined> {
  return withContent(db, async () => (await withJson(db, lookupOf(actor, id)))[0], isHeld)
}

/**
 * The graph at this version, with the content that it had; undefined where there is no such graph for the actor, and
 * null where the version is not kept.
 */
export async function findGraphAt(
  db: Db,
  actor: Actor,
  id: number,
  version: number,
  isHeld?: (contentId: number) => Promise<boolean>
): Promise<GraphWithContent | null | undefined> {
  const graph = await findGraph(db, actor, id)
  if (graph && version !== graph.version) return (await findEarlier(db, graph, version, isHeld)) ?? null
  const current = graph && (await findGraphWithContent(db, actor, id, isHeld))
  // Meanwhile the graph may have become another.
  return current && current.version !== version ? findGraphAt(db, actor, id, version, isHeld) : current
}

const insertGraph = prepared((trx: Trx, values: Omit<GraphRow, 'id'>) =>
  trx
    .insertInto('graph')
    .values(pick(values, COLUMNS) as never)
    .returning('id')
)

/** What a graph is made of. */
export interface GraphCreation {
  values: GraphValues
  content?: StoredContent | null | undefined
  /** What the actor says about it. */
  message?: string | null | undefined
}

/** What becomes of a graph. Content that is undefined stays, and null is removed. */
export type GraphChange = GraphCreation

/** Creates the graph of the owner. */
export async function createGraph(
  trx: Trx,
  actor: Actor,
  owner: string,
  { values, content, message = null }: GraphCreation
): Promise<GraphRow> {
  const now = new Date().toISOString()
  const row = {
    ...values,
    ...(await keepContent(trx, content)),
    owner,
    bytes: content?.size ?? 0,
    version: 1,
    searchText: searchable(values),
    createdAt: now,
    updatedAt: now,
    principal: actor.principal,
    message,
    // Its event needs its id first; it is found without, see db/version-lists.ts.
    auditEventId: null,
    restoredFrom: null
  }
  const [inserted] = await insertGraph(trx, row)
  const graph = { ...row, id: expectId(inserted) }
  const data = { ...changes({}, described(graph, content?.hash)), ...(message !== null && { message }) }
  await recordEvent(trx, actor, { type: 'GRAPH_CREATED', target: versionOf(graph), data })
  return graph
}

const replaceGraph = prepared((trx: Trx, values: GraphRow & { replaced: number }) =>
  trx
    .updateTable('graph')
    .set(pick(values, COLUMNS) as never)
    .where('id', '=', values.id)
    .where('version', '=', values.replaced)
    .returning('id')
)

/** Changes the graph. Where nothing differs, nothing happens. */
export async function updateGraph(
  trx: Trx,
  actor: Actor,
  before: GraphRow,
  { values, content, message = null }: GraphChange,
  keptVersions: number
): Promise<GraphRow> {
  const hash = content === undefined ? undefined : await hashOf(trx, before)
  const isOther = content !== undefined && content?.hash !== hash
  const wanted = { ...before, ...values, ...(isOther && (await keepContent(trx, content))) }
  const data = isOther
    ? changes(described(before, hash), described(wanted, content?.hash))
    : changes(described(before), described(wanted))
  if (Object.keys(data).length === 0) return before
  return replace(trx, actor, before, { ...wanted, message, restoredFrom: null }, content?.size, data, keptVersions)
}

/** Gives the graph the state of an earlier version, as a version of its own. */
export async function restoreGraph(
  trx: Trx,
  actor: Actor,
  before: GraphRow,
  { version, name, type, description, shared, nodeCount, edgeCount, content }: GraphWithContent,
  message: string | null,
  keptVersions: number
): Promise<GraphRow> {
  const contentId = content?.id ?? null
  const wanted = { ...before, name, type, description, shared, nodeCount, edgeCount, contentId }
  const data = changes(described(before, await hashOf(trx, before)), described(wanted, await hashOf(trx, wanted)))
  return replace(trx, actor, before, { ...wanted, message, restoredFrom: version }, content?.size, data, keptVersions)
}

/** Makes the next version of the graph, whose content has this size, keeps the one before, and of all so many. */
async function replace(
  trx: Trx,
  actor: Actor,
  before: GraphRow,
  wanted: GraphRow,
  size: number | undefined,
  data: Record<string, string>,
  keptVersions: number
): Promise<GraphRow> {
  const after = {
    ...wanted,
    version: before.version + 1,
    searchText: searchable(wanted),
    updatedAt: new Date().toISOString(),
    principal: actor.principal,
    bytes: before.bytes + (wanted.contentId === before.contentId ? 0 : (size ?? 0))
  }
  await keepVersion(trx, before)
  after.auditEventId = await recordChanges(trx, actor, before, after, data)
  expectOne(await replaceGraph(trx, { ...after, replaced: before.version }))
  if (after.version > keptVersions) await removeVersions(trx, after.id, after.version - keptVersions)
  return after
}

/** The graph at its version, as the event names it that tells how that was made. */
function versionOf(graph: GraphRow) {
  return { ...targetOf(graph), version: graph.version }
}

/** The graph as an event names it. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** What lists show of a graph. */
export type GraphAsListed = Pick<GraphRow, (typeof LISTED)[number]>

/** The graph as lists show it. */
export function toRecord(row: GraphAsListed): GraphRecord {
  const { id, name, type, description, shared, owner, version, nodeCount, edgeCount, createdAt, updatedAt } = row
  const record: GraphRecord = {
    id,
    name,
    shared: Boolean(shared),
    owner,
    version,
    nodeCount,
    edgeCount,
    createdAt,
    updatedAt
  }
  if (type !== null) record.type = type
  if (description !== null) record.description = description
  return record
}

/**
 * Sharing is an event of its own, since it is what people ask for; the rest of a change is another. Returns the id of
 * the first of them.
 */
async function recordChanges(
  trx: Trx,
  actor: Actor,
  before: GraphRow,
  after: GraphRow,
  { 'shared.old': wasShared, 'shared.new': isShared, ...rest }: Record<string, string>
): Promise<number> {
  const target = versionOf(after)
  const { message, restoredFrom } = after
  const version = {
    ...changes({ version: before.version }, { version: after.version }),
    ...(message !== null && { message })
  }
  const ids: number[] = []
  if (restoredFrom !== null) {
    const data = { ...rest, ...version, restoredFrom: String(restoredFrom) }
    ids.push(await recordEvent(trx, actor, { type: 'GRAPH_RESTORED', target, data }))
  } else if (Object.keys(rest).length > 0) {
    ids.push(await recordEvent(trx, actor, { type: 'GRAPH_UPDATED', target, data: { ...rest, ...version } }))
  }
  if (wasShared !== isShared) {
    const type = isShared === 'true' ? 'GRAPH_SHARED' : 'GRAPH_UNSHARED'
    const data = { 'shared.old': wasShared, 'shared.new': isShared, ...version }
    ids.push(await recordEvent(trx, actor, { type, target, data }))
  }
  return ids[0] as number
}

/** What an event tells of a graph: each scalar field that can change, and of content only its hash and counts. */
export function described(
  { name, type, description, shared, nodeCount, edgeCount }: Omit<GraphVersionRow, 'graphId' | 'version'>,
  contentHash?: string
) {
  return { name, type, description, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}
