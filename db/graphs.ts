import { type GraphRecord, graphSorts } from '../schemas/graph.ts'
import type { StoredContent } from '../schemas/graph-content.ts'
import { type Actor, changes, recordEvent } from './audits.ts'
import { dropContent, hashOf, type KeptContent, keepContent, packedOf } from './contents.ts'
import { prepared } from './prepared.ts'
import { searchable } from './search.ts'
import type { Db } from './store.ts'
import type { GraphRow } from './tables.ts'

/** What a client says about a graph. */
export interface GraphValues {
  name: string
  type: string | null
  description: string | null
  shared: boolean
}

/** The columns that clients see, which are also those to sort by. */
export const LISTED = graphSorts

const visible = (db: Db, { id, login, isAdmin }: Lookup) =>
  db
    .selectFrom('graph')
    .where('graph.id', '=', id)
    .where((eb) =>
      eb.or([eb('graph.owner', '=', login), eb('graph.shared', '=', eb.lit(true)), eb(eb.val(isAdmin), '=', true)])
    )

interface Lookup {
  id: number
  login: string
  isAdmin: boolean
}

const byId = prepared((db, lookup: Lookup) => visible(db, lookup).selectAll())

// Not by joins: SQLite plans one that has a parameter anew each time.
const withJson = prepared((db, lookup: Lookup) =>
  visible(db, lookup)
    .select(LISTED)
    .select((eb) => [
      'contentId',
      eb.selectFrom('content').select('json').whereRef('content.id', '=', 'graph.contentId').as('json'),
      eb.selectFrom('content').select('size').whereRef('content.id', '=', 'graph.contentId').as('size')
    ])
)

/** A graph that the actor may read, or undefined: the invisible is as good as none. */
export async function findGraph(db: Db, { login, role }: Actor, id: number): Promise<GraphRow | undefined> {
  const [graph] = await byId(db, { id, login, isAdmin: role === 'ADMIN' })
  return graph
}

/** A graph with the content that belongs to it. */
export type GraphWithContent = Omit<GraphRow, 'searchText'> & { content: KeptContent | null }

/**
 * The same together with its content; of large contents the bytes may be left out where they are not needed, as
 * `isHeld` tells of their ids.
 */
export async function findGraphWithContent(
  db: Db,
  { login, role }: Actor,
  id: number,
  isHeld = (_contentId: number) => false
): Promise<GraphWithContent | undefined> {
  for (;;) {
    const [graph] = await withJson(db, { id, login, isAdmin: role === 'ADMIN' })
    if (!graph) return undefined
    const { json, size, ...row } = graph
    if (row.contentId === null || size === null) return { ...row, content: null }
    const content = { id: row.contentId, size }
    if (json !== null) return { ...row, content: { ...content, json } }
    if (isHeld(content.id)) return { ...row, content }
    const packed = await packedOf(db, content.id)
    // Since the record was read the content may have gone, and the record has changed then.
    if (packed) return { ...row, content: { ...content, packed } }
  }
}

const insertGraph = prepared((db, values: Omit<GraphRow, 'id'>) =>
  db.insertInto('graph').values(columnsOf(values)).returning('id')
)

/** Creates the graph of the owner. */
export async function createGraph(
  trx: Db,
  actor: Actor,
  owner: string,
  values: GraphValues,
  content: StoredContent | undefined
): Promise<GraphRow> {
  const now = new Date().toISOString()
  const { contentId, nodeCount, edgeCount } = await keepContent(trx, content)
  const row = {
    ...values,
    owner,
    version: 1,
    nodeCount,
    edgeCount,
    contentId,
    searchText: searchable(values),
    createdAt: now,
    updatedAt: now
  }
  const [inserted] = await insertGraph(trx, row)
  const graph = { ...row, id: (inserted as { id: number }).id }
  const data = changes({}, described(graph, content?.hash))
  await recordEvent(trx, actor, { type: 'GRAPH_CREATED', target: targetOf(graph), data })
  return graph
}

const replaceGraph = prepared((db, values: GraphRow) =>
  db.updateTable('graph').set(columnsOf(values)).where('id', '=', values.id)
)

/** Changes the graph; content that is undefined stays, and null is removed. Where nothing differs, nothing happens. */
export async function updateGraph(
  trx: Db,
  actor: Actor,
  before: GraphRow,
  values: GraphValues,
  content: StoredContent | null | undefined
): Promise<GraphRow> {
  const hash = content === undefined ? undefined : await hashOf(trx, before)
  const isOther = content !== undefined && content?.hash !== hash
  const wanted = { ...before, ...values, ...(isOther && (await keepContent(trx, content))) }
  const was = described(before, isOther ? hash : undefined)
  const is = described(wanted, isOther ? content?.hash : undefined)
  if (Object.keys(changes(was, is)).length === 0) return before

  const after = {
    ...wanted,
    version: before.version + 1,
    searchText: searchable(values),
    updatedAt: new Date().toISOString()
  }
  await replaceGraph(trx, after)
  if (isOther) await dropContent(trx, before.contentId)
  await recordChanges(trx, actor, before, after, changes(was, is))
  return after
}

const removeGraph = prepared((db, { id }: { id: number }) => db.deleteFrom('graph').where('id', '=', id))

/** Deletes the graph. */
export async function deleteGraph(trx: Db, actor: Actor, graph: GraphRow) {
  const data = changes(described(graph, await hashOf(trx, graph)), {})
  await removeGraph(trx, graph)
  await dropContent(trx, graph.contentId)
  await recordEvent(trx, actor, { type: 'GRAPH_DELETED', target: targetOf(graph), data })
}

/** The graph as an event names it. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** The graph as lists show it. */
export function toRecord(row: Omit<GraphRow, 'contentId' | 'searchText'>): GraphRecord {
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

/** Sharing is an event of its own, since it is what people ask for; the rest of a change is another. */
async function recordChanges(
  trx: Db,
  actor: Actor,
  before: GraphRow,
  after: GraphRow,
  { 'shared.old': wasShared, 'shared.new': isShared, ...rest }: Record<string, string>
) {
  const target = targetOf(after)
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
function described(
  { name, type, description, shared, nodeCount, edgeCount }: Omit<GraphRow, 'id'>,
  contentHash: string | undefined
) {
  return { name, type, description, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}

/** Every column but the id. */
function columnsOf({
  name,
  type,
  description,
  shared,
  owner,
  version,
  nodeCount,
  edgeCount,
  contentId,
  searchText,
  createdAt,
  updatedAt
}: Omit<GraphRow, 'id'>) {
  return {
    name,
    type,
    description,
    shared: shared as boolean,
    owner,
    version,
    nodeCount,
    edgeCount,
    contentId,
    searchText,
    createdAt,
    updatedAt
  }
}
