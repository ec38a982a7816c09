import type { LinkedGraph } from '../../schemas/link.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { GraphView } from '../../schemas/saved-view.ts'
import { type Author, system } from '../actors.ts'
import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import { findGraphAt, findGraphWithContent, type GraphWithContent, targetOf, toRecord } from '../graphs/graphs.ts'
import { findDefaultView, findView } from '../graphs/saved-views.ts'
import type { Db, Trx } from '../store.ts'
import type { LinkRow } from '../tables.ts'
import { countOpenings } from './opening-counts.ts'

// Visits by people who have a link but no account. A link grants read access to the graph that it shows. The rule in
// db/graphs/access.ts decides who can create links, and is not applied again to visitors.

/** A link, as looked up for a visitor. */
export interface VisitedLink extends LinkRow {
  /** The current version, name and owner of the graph. Null if it is in the trash. */
  currentVersion: number | null
  graphName: string | null
  owner: string | null
  /** The version that the link shows, if it is an earlier one that still exists. */
  keptVersion: number | null
}

/** The name of a saved view, or a view of the link's own. */
export type ShownView = string | GraphView

const byPublicId = prepared((db, { publicId }: { publicId: string }) =>
  db
    .selectFrom('link')
    .leftJoin('graph', 'graph.id', 'link.graphId')
    .leftJoin('graphVersion', (join) =>
      join.onRef('graphVersion.graphId', '=', 'link.graphId').onRef('graphVersion.version', '=', 'link.version')
    )
    .selectAll('link')
    .select([
      'graph.version as currentVersion',
      'graph.name as graphName',
      'graph.owner',
      'graphVersion.version as keptVersion'
    ])
    .where('publicId', '=', publicId)
)

const PUBLIC_ID = /^[\w-]{22}$/

/** Finds the link with this public id, or returns undefined. */
export async function findLink(db: Db, publicId: string): Promise<VisitedLink | undefined> {
  // Look up malformed ids too, so that every request takes the same time. PostgreSQL rejects U+0000, so look up an empty id
  // instead.
  const [link] = await byPublicId(db, { publicId: PUBLIC_ID.test(publicId) ? publicId : '' })
  return link
}

/**
 * Returns whether the link shows its graph, that is, whether the link has not expired, the graph is not in the trash, and the
 * version still exists.
 */
export function isShown({ expiresAt, version, currentVersion, keptVersion }: VisitedLink): boolean {
  if (currentVersion === null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())) return false
  return version === null || version === currentVersion || keptVersion !== null
}

/** Returns the link. Throws `link-not-found` if it is undefined. */
export function requireLink<T>(link: T | undefined): T {
  if (link === undefined) throw new ProblemError('link-not-found')
  return link
}

/**
 * Counts visits to a link. Throws `link-not-found` if the link no longer shows its graph, or if its password has changed since
 * the link was looked up.
 */
export async function recordOpenings(trx: Trx, author: Author, found: VisitedLink, count: number) {
  await locked(trx, trx.selectFrom('link').select('id').where('id', '=', found.id), 'forNoKeyUpdate').execute()
  const link = await findLink(trx, found.publicId)
  if (!link || !isShown(link) || link.tokenVersion !== found.tokenVersion) throw new ProblemError('link-not-found')
  const target = targetOf({ id: link.graphId, name: link.graphName ?? '' })
  await countOpenings(trx, author, target, link, count)
}

/** Returns the graph that the link shows, as a reader would see it. Throws `link-not-found`. */
export async function findLinkedGraph(db: Db, { graphId, version }: LinkRow): Promise<GraphWithContent> {
  const found =
    version === null ? await findGraphWithContent(db, system, graphId) : await findGraphAt(db, system, graphId, version)
  return { ...requireLink(found ?? undefined), access: 'READ' }
}

/** Returns the view that the link's owner chose, or undefined for the graph's default view. */
export function shownViewOf({ view }: Pick<LinkRow, 'view'>): ShownView | undefined {
  return view === null ? undefined : JSON.parse(view)
}

/**
 * Returns the graph that the link shows, with the view that the link's owner chose, or else the graph's default view. Throws
 * `link-not-found`.
 */
export async function findLinkedGraphInView(db: Db, link: LinkRow) {
  const graph = await findLinkedGraph(db, link)
  const shown = shownViewOf(link)
  const chosen = typeof shown === 'string' ? await findView(db, graph.id, shown) : shown
  return { ...graph, view: chosen ?? (await findDefaultView(db, graph)) }
}

/** Returns the graph as the link's visitors see it. */
export function toLinkedGraph(link: LinkRow, graph: GraphWithContent & { view: GraphView | undefined }): LinkedGraph {
  const { name, type, description, tags, version, nodeCount, edgeCount, updatedAt } = toRecord(graph, 'READ')
  return {
    name,
    version,
    nodeCount,
    edgeCount,
    updatedAt,
    isPinned: link.version !== null,
    downloads: Boolean(link.downloads),
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...(link.expiresAt !== null && { expiresAt: link.expiresAt }),
    ...(graph.view && { view: graph.view })
  }
}
