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

/** All columns except the id. */
export const GRAPH_COLUMNS = allColumns<Omit<GraphRow, 'id'>>()([
  ...VERSION_COLUMNS,
  'owner',
  'key',
  'defaultView',
  'searchText',
  'createdAt',
  'bytes'
])

/** The columns shown in lists. */
export const LISTED_COLUMNS = [...graphSorts, 'tags', 'key', 'defaultView'] as const

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

/** Returns the highest access level granted to the actor, or null if the actor is the owner or has no grant. */
export async function findGranted(db: Db, actor: Actor, id: number): Promise<GrantedAccess | null> {
  const [graph] = await grantedById(db, lookupOf(actor, id))
  return graph?.granted ?? null
}

/** A graph, with the access level of the actor who looked it up. */
export type FoundGraph = GraphRow & OwnedGraph

/** Returns a graph if the actor may read it, or undefined otherwise. Inside a transaction, also locks the row. */
export async function findGraph(db: Db, actor: Actor, id: number): Promise<FoundGraph | undefined> {
  const [graph] = await byId(db, lookupOf(actor, id))
  if (!graph?.granted || !db.locksRows) return graph
  // After waiting for the lock, the query still sees the old grants. Transactions that revoke grants also lock the graph, so read
  // the grants again.
  const found = { ...graph, granted: await findGranted(db, actor, id) }
  return accessTo(actor, found) && found
}

/** A graph with its content, and the access level of the actor who looked it up. */
export type GraphWithContent = GraphAsListed & { access: Access; content: KeptContent | null }

/** Returns a graph with its content if the actor may read it, or undefined otherwise. */
export async function findGraphWithContent(db: Db, actor: Actor, id: number): Promise<GraphWithContent | undefined> {
  const [row] = await byIdWithContent(db, lookupOf(actor, id))
  return row && Object.assign(withContent(row), { access: requireAccess(actor, row) })
}

/**
 * Returns a graph that the actor may read, as it was at this version, with the content of that version. Returns undefined if the
 * actor cannot see the graph, or null if the version no longer exists.
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
    // The current access rights apply, regardless of whether the graph was shared when that version was current.
    return earlier ? Object.assign(earlier, { access: requireAccess(actor, graph) }) : null
  }
  const current = graph && (await findGraphWithContent(db, actor, id))
  // Another transaction may have changed the graph between the two queries.
  return current && current.version !== version ? findGraphAt(db, actor, id, version) : current
}

/** Returns the graph as the target of an event. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** A graph with the columns shown in lists. */
export type GraphAsListed = Pick<GraphRow, (typeof LISTED_COLUMNS)[number]>

/** Returns the graph as shown in lists to a caller with this access level. */
export function toRecord(row: GraphAsListed, access: Access): GraphRecord {
  const { id, name, key, type, description, tags, defaultView, shared, owner } = row
  const { version, nodeCount, edgeCount, createdAt, updatedAt } = row
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
  if (defaultView !== null) record.defaultView = defaultView
  return record
}

/**
 * Returns the fields of a graph that events record: all scalars that can change, and the hash and element counts of the content.
 */
export function describeGraph(
  { name, type, description, tags, shared, nodeCount, edgeCount }: Omit<GraphVersionRow, 'graphId' | 'version'>,
  contentHash?: string
) {
  const joined = tagsOf(tags).join(', ') || null
  return { name, type, description, tags: joined, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}
