import type { LinkedGraph } from '../../schemas/link.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { type Author, system } from '../actors.ts'
import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import { findGraphAt, findGraphWithContent, type GraphWithContent, targetOf, toRecord } from '../graphs/graphs.ts'
import type { Db, Trx } from '../store.ts'
import type { LinkRow } from '../tables.ts'
import { countOpenings } from './opening-counts.ts'

// The visits of people who have a link, and no account. A link gives the right to read one graph, as long as it shows it: the rule of
// db/graphs/access.ts decides who makes links, and is not asked again for their visitors.

/** A link as its visitors find it. */
export interface VisitedLink extends LinkRow {
  /** The current version, name and owner of the graph; null if it is in the trash. */
  currentVersion: number | null
  graphName: string | null
  owner: string | null
  /** The version that the link shows, if it is an earlier one that is kept. */
  keptVersion: number | null
}

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

/** Finds the link with this public id; undefined if there is none. */
export async function findLink(db: Db, publicId: string): Promise<VisitedLink | undefined> {
  // Texts that are none are looked up as well, so that all take as long. PostgreSQL refuses U+0000.
  const [link] = await byPublicId(db, { publicId: PUBLIC_ID.test(publicId) ? publicId : '' })
  return link
}

/** Tells whether the link shows its graph: neither has expired, lies in the trash, or has lost the version. */
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
 * Counts openings of a link that visitors have found. Throws `link-not-found` if it does not show its graph any more, or has
 * another password since.
 */
export async function recordOpenings(trx: Trx, author: Author, found: VisitedLink, count: number) {
  await locked(trx, trx.selectFrom('link').select('id').where('id', '=', found.id), 'forNoKeyUpdate').execute()
  const link = await findLink(trx, found.publicId)
  if (!link || !isShown(link) || link.tokenVersion !== found.tokenVersion) throw new ProblemError('link-not-found')
  const target = targetOf({ id: link.graphId, name: link.graphName ?? '' })
  await countOpenings(trx, author, target, link, count)
}

/** Returns the graph that the link shows, for a reader. Throws `link-not-found`. */
export async function findLinkedGraph(db: Db, { graphId, version }: LinkRow): Promise<GraphWithContent> {
  const found =
    version === null ? await findGraphWithContent(db, system, graphId) : await findGraphAt(db, system, graphId, version)
  return { ...requireLink(found ?? undefined), access: 'READ' }
}

/** Returns the graph as the visitors of the link see it. */
export function toLinkedGraph(link: LinkRow, graph: GraphWithContent): LinkedGraph {
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
    ...(link.expiresAt !== null && { expiresAt: link.expiresAt })
  }
}
