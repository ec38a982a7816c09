import { type Access, type GraphRecord, graphSorts } from '../schemas/graph.ts'
import { accessShown, type Lookup, lookupOf, selectVisible } from './access.ts'
import type { Actor } from './actors.ts'
import { hashed, type KeptContent, withContent } from './contents.ts'
import { prepared } from './engine/prepared.ts'
import { locked } from './engine/row-locks.ts'
import type { Db } from './store.ts'
import type { GraphRow, GraphVersionRow } from './tables.ts'
import { findEarlier, VERSION_COLUMNS } from './versions.ts'

/** Every column but the id. */
export const COLUMNS = [...VERSION_COLUMNS, 'owner', 'searchText', 'createdAt', 'bytes'] as const

/** The columns that clients see, which are also those to sort by. */
export const LISTED = graphSorts

const byId = prepared((db, lookup: Lookup) => locked(db, selectVisible(db, lookup).selectAll(), 'forNoKeyUpdate'))

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
  const [graph] = await byId(db, lookupOf(actor, id))
  return graph
}

/** A graph with the content that belongs to it, and what whoever asked for it may do. */
export type GraphWithContent = GraphAsListed & { access: Access; content: KeptContent | null }

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
  const graph = await withContent(db, async () => (await withJson(db, lookupOf(actor, id)))[0], isHeld)
  return graph && Object.assign(graph, { access: accessShown(actor, graph) })
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
  if (graph && version !== graph.version) {
    const earlier = await findEarlier(db, graph, version, isHeld)
    // Whether it was shared then does not matter.
    return earlier ? Object.assign(earlier, { access: accessShown(actor, graph) }) : null
  }
  const current = graph && (await findGraphWithContent(db, actor, id, isHeld))
  // Meanwhile the graph may have become another.
  return current && current.version !== version ? findGraphAt(db, actor, id, version, isHeld) : current
}

/** The graph as an event names it. */
export function targetOf({ id, name }: Pick<GraphRow, 'id' | 'name'>) {
  return { type: 'GRAPH', id, name } as const
}

/** What lists show of a graph. */
export type GraphAsListed = Pick<GraphRow, (typeof LISTED)[number]>

/** The graph as lists show it, to whom has this access. */
export function toRecord(row: GraphAsListed, access: Access): GraphRecord {
  const { id, name, type, description, shared, owner, version, nodeCount, edgeCount, createdAt, updatedAt } = row
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
  if (type !== null) record.type = type
  if (description !== null) record.description = description
  return record
}

/** What an event tells of a graph: each scalar field that can change, and of content only its hash and counts. */
export function described(
  { name, type, description, shared, nodeCount, edgeCount }: Omit<GraphVersionRow, 'graphId' | 'version'>,
  contentHash?: string
) {
  return { name, type, description, shared: Boolean(shared), contentHash, nodeCount, edgeCount }
}
