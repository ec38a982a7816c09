import type { Actor } from '../../../db/actors.ts'
import { requireGraph, requireVersion } from '../../../db/graphs/access.ts'
import { loadConsistently } from '../../../db/graphs/contents.ts'
import { findGraph, findGraphAt, type GraphWithContent } from '../../../db/graphs/graphs.ts'
import { NO_TAGS, tagsOf } from '../../../db/graphs/tags.ts'
import { findVersion } from '../../../db/lists/versions.ts'
import type { Store } from '../../../db/store.ts'
import type { DiffedRecord } from '../../../graph/diff/compare.ts'
import type { DiffedVersions } from '../../../graph/diff/document.ts'
import type { Content, GraphWorker } from '../../../graph/jobs/worker.ts'
import type { GraphVersion } from '../../../schemas/version.ts'
import { loadContent } from './load-content.ts'

/** The two versions to compare, the format of the result, and the maximum length of its lists. */
export interface Comparison {
  /** The version before `to` by default. 0 means the state before the first version. */
  from?: number | undefined
  /** The current version by default. */
  to?: number | undefined
  as: DiffedVersions['as']
  limit: number
}

/** One of the two versions. */
interface Side {
  version: GraphVersion
  graph: GraphWithContent
}

interface Sides {
  from: Side | undefined
  to: Side
}

/**
 * Compares two versions of a graph. Returns the result as bytes in the requested format, and the version numbers. Throws
 * `graph-not-found` or `version-not-found`.
 */
export async function compareVersions(
  actor: Actor,
  store: Store,
  worker: GraphWorker,
  id: number,
  { as, limit, ...versions }: Comparison
): Promise<{ bytes: Buffer; from: number; to: number }> {
  const find = () => findSides(store, actor, id, versions)
  const sides = await find()
  const { from, to, contents } = await loadConsistently(sides, find, (sides) => loadContents(store, sides))
  const records: DiffedVersions['records'] = [from ? recordOf(from.graph) : {}, recordOf(to.graph)]
  const bytes = await worker.diff(...contents, {
    versions: { id, from: from?.version, to: to.version, records, as },
    limit
  })
  return { bytes, from: from?.version.version ?? 0, to: to.version.version }
}

/**
 * Finds the two versions. `from` is undefined for the state before the first version. Throws `graph-not-found` or
 * `version-not-found`.
 */
async function findSides(
  store: Store,
  actor: Actor,
  id: number,
  { from, to }: Pick<Comparison, 'from' | 'to'>
): Promise<Sides> {
  const { version } = requireGraph(await findGraph(store.read, actor, id))
  const last = to ?? version
  const first = from ?? last - 1
  const second = await findSide(store, actor, id, last)
  return { from: first === 0 ? undefined : await findSide(store, actor, id, first), to: second }
}

async function findSide(store: Store, actor: Actor, id: number, version: number): Promise<Side> {
  return {
    version: requireVersion((await findVersion(store.read, id, version)) ?? null),
    graph: requireVersion(await findGraphAt(store.read, actor, id, version))
  }
}

/** Loads the content of both versions, or nothing if both have the same content. Throws ContentGone. */
async function loadContents(store: Store, { from, to }: Sides) {
  const [before, after] = [from?.graph.content ?? null, to.graph.content]
  const isSame = before?.id === after?.id
  const contents: [Content | null, Content | null] = isSame
    ? [null, null]
    : [await loadContent(store, before), await loadContent(store, after)]
  return { from, to, contents }
}

function recordOf({ name, type, description, tags, shared }: GraphWithContent): DiffedRecord {
  return { name, type, description, tags: tags === NO_TAGS ? null : tagsOf(tags), shared: Boolean(shared) }
}
