import type { GrantedAccess } from '../../schemas/grant.ts'
import { type Access, type GraphRecord, graphSorts } from '../../schemas/graph.ts'
import type { Actor } from '../actors.ts'
import { allColumns, prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import type { Db } from '../store.ts'
import type { GraphRow, GraphVersionRow } from '../tables.ts'
import { accessTo, grantedTo, type Lookup, lookupOf, type OwnedGraph, requireAccess, selectVisible } from './access.ts'
import { contentColumns, type KeptContent, withContent } from './contents.ts'
import { NO_TAGS, tagsOf } from './tags.ts'
import { findEarlier, VERSION_COLUMNS } from './versions.ts'

/** Every column but the id. */
export const GRAPH_COLUMNS = allColumns<Omit<GraphRow, 'id'>>()([
  ...VERSION_COLUMNS,
  'owner',
  'key',
  'searchText',
  'createdAt',
  'bytes'
])

/** The columns that lists show. */
export const LISTED_COLUMNS = [...graphSorts, 'tags', 'key'] as const

const byId = prepared((db, lookup: Lookup) =>
  locked(
    db,
    selectVisible(db, lookup)
      .selectAll('graph')
      .select((eb) => grantedTo(eb, lookup)),
    'forNoKeyUpdate'
  )
)

const byIdWithContent = prepared((db, lookup: Lookup) =>
  selectVisible(db, lookup)
    .select(LISTED_COLUMNS)
    .select('contentId')
    .select((eb) => grantedTo(eb, lookup))
    .select(contentColumns('graph'))
)

const grantedById = prepared((db, lookup: Lookup) =>
  db
    .selectFrom('graph')
    .select((eb) => grantedTo(eb, lookup))
    .where('graph.id', '=', lookup.id)
)

/** Returns the highest right to the graph that was granted to the actor; null for none, and for its owner. */
export async function findGranted(db: Db, actor: Actor, id: number): Promise<GrantedAccess | null> {
  const [graph] = await grantedById(db, lookupOf(actor, id))
  return graph?.granted ?? null
}

/** A graph, and what was granted to the actor for whom it was found. */
export type FoundGraph = GraphRow & OwnedGraph

/** Returns a graph that the actor may read, or undefined. A transaction locks it. */
export async function findGraph(db: Db, actor: Actor, id: number): Promise<FoundGraph | undefined> {
  const [graph] = await byId(db, lookupOf(actor, id))
  if (!graph?.granted || !db.locksRows) return graph
  // A query that has waited for the lock sees grants as they were before. Transactions that take grants away lock the graph too.
  const found = { ...graph, granted: await findGranted(db, actor, id) }
  return accessTo(actor, found) && found
}

/** A graph with its content, and the right of the actor for whom it was found. */
export type GraphWithContent = GraphAsListed & { access: Access; content: KeptContent | null }

/** Returns a graph that the actor may read, with its content; undefined if there is none. */
export async function findGraphWithContent(db: Db, actor: Actor, id: number): Promise<GraphWithContent | undefined> {
  const [row] = await byIdWithContent(db, lookupOf(actor, id))
  return row && Object.assign(withContent(row), { access: requireAccess(actor, row) })
}

/**
 * Returns a graph that the actor may read as it was at the version, with its content of that time. Returns undefined if
 * there is no such graph, and null if the version is not kept.
 */
export async function findGraphAt(
  db: Db,
  actor: Actor,
  id: number,
  version: number
): Promise<GraphWithContent | null | undefined> {
  const graph = await findGraph(db, actor, id)
  if (graph && version !== graph.version) {
    const earlier = await findEarlier(db, graph, version)
    // The access is that of today, whether or not the graph was shared then.
    return earlier ? Object.assign(earlier, { access: requireAccess(actor, graph) }) : null
  }
  const current = graph && (await findGraphWithContent(db, actor, id))
  // Another transaction may have changed the graph between the two queries.
  return current && current.version !== version ? findGraphAt(db, actor, id, version) : current
}

/** Returns the graph as events name it. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** The columns of a graph that lists show. */
export type GraphAsListed = Pick<GraphRow, (typeof LISTED_COLUMNS)[number]>

/** Returns the graph as lists show it to a caller with this right. */
export function toRecord(row: GraphAsListed, access: Access): GraphRecord {
  const { id, name, key, type, description, tags, shared, owner, version, nodeCount, edgeCount, createdAt, updatedAt } =
    row
  const record: GraphRecord = {
    id,
    name,
    shared: Boolean(shared),
    owner,
    access,
    version,
    nodeCount,
    edgeCount,
    createdAt,
    updatedAt
  }
  if (key !== null) record.key = key
  if (type !== null) record.type = type
  if (description !== null) record.description = description
  if (tags !== NO_TAGS) record.tags = tagsOf(tags)
  return record
}

/** Returns the fields of a graph that events describe: scalars that can change, and of the content its hash and counts. */
export function describeGraph(
  { name, type, description, tags, shared, nodeCount, edgeCount }: Omit<GraphVersionRow, 'graphId' | 'version'>,
  contentHash?: string
) {
  const joined = tagsOf(tags).join(', ') || null
  return { name, type, description, tags: joined, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}
