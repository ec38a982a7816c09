import { type SelectQueryBuilder, sql } from 'kysely'
import { ProblemError } from '../schemas/errors.ts'
import { type Access, accesses, type GraphFilter } from '../schemas/graph.ts'
import type { Actor } from './actors.ts'
import { prepared } from './engine/prepared.ts'
import type { Db } from './store.ts'
import type { GraphRow, Tables } from './tables.ts'

// The access rule: who sees a graph, and who changes it? It stands here in four forms: for a record, as the condition of a lookup,
// as the ranges of a list, and for the trash. test/access.test.ts compares them.

/** The properties of an actor that the rule depends on. */
export type Viewer = Pick<Actor, 'account' | 'isAdministrator'>

/** The properties of a graph that the rule depends on. */
export type OwnedGraph = Pick<GraphRow, 'owner' | 'shared'>

/** Returns the right of the viewer to the graph; undefined if it is invisible to them. */
export function accessTo({ account, isAdministrator }: Viewer, graph: OwnedGraph): Access | undefined {
  if (isAdministrator || graph.owner === account) return 'OWNER'
  return graph.shared && account !== undefined ? 'READ' : undefined
}

/** Returns the right of the viewer to a graph that a query has found for them. Throws an Error, and shows nothing, if they have none. */
export function requireAccess(viewer: Viewer, graph: OwnedGraph): Access {
  const access = accessTo(viewer, graph)
  if (access === undefined) throw new Error('a query found a graph that the viewer may not see')
  return access
}

/** Each right includes those before it: `accesses` begins with the highest. */
const rights: readonly (Access | undefined)[] = accesses.toReversed()

/** Tells whether the viewer has the right to the graph. */
export function hasRight(viewer: Viewer, right: Access, graph: OwnedGraph): boolean {
  return rights.indexOf(accessTo(viewer, graph)) >= rights.indexOf(right)
}

/** Returns the graph. Throws `graph-not-found` if it is undefined: there is none that the actor may see. */
export function requireGraph<T>(graph: T | undefined): T {
  if (graph === undefined) throw new ProblemError('graph-not-found')
  return graph
}

/** Returns the version of a graph. Throws `graph-not-found` if it is undefined, and `version-not-found` if it is null. */
export function requireVersion<T>(version: T | null | undefined): T {
  const present = requireGraph(version)
  if (present === null) throw new ProblemError('version-not-found')
  return present
}

/** The details of a refusal, by the right that the viewer lacks. */
const refusals: Record<Access, string> = {
  READ: 'The caller may not read this graph.',
  WRITE: 'The caller may read this graph, but not change it.',
  OWNER: 'Only its owner and administrators may share or delete this graph.'
}

/** Returns the graph, which the viewer may read, if they have the right to it. Throws `forbidden`. */
export function requireRight<T extends OwnedGraph & Pick<GraphRow, 'id' | 'name'>>(
  viewer: Viewer,
  right: Access,
  graph: T
): T {
  if (hasRight(viewer, right, graph)) return graph
  throw new ProblemError('forbidden', {
    detail: refusals[right],
    target: { type: 'GRAPH', id: graph.id, name: graph.name }
  })
}

/** The owner of no graph: logins are not empty. `graphCount` has the graphs of all owners under it. */
export const NOBODY = ''

/** The parameters of `selectVisible`. */
export interface Lookup {
  id: number
  account: string
  isAdministrator: boolean
}

/** Returns the parameters of `selectVisible` for the graph with the id. */
export function lookupOf({ account = NOBODY, isAdministrator }: Viewer, id: number): Lookup {
  return { id, account, isAdministrator }
}

/** Selects the graph with the id, if the viewer may see it. */
export function selectVisible(db: Db, { id, account, isAdministrator }: Lookup) {
  return db
    .selectFrom('graph')
    .where('graph.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('graph.owner', '=', account),
        eb.and([eb('graph.shared', '=', eb.lit(true)), eb(eb.val(account), '<>', sql.lit(NOBODY))]),
        eb(eb.val(isAdministrator), '=', true)
      ])
    )
}

/** Keeps the rows of graphs that the viewer owns: nobody else sees a graph in the trash. */
export function whereOwned<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { account = NOBODY, isAdministrator }: Viewer
) {
  return isAdministrator ? query : query.where('graph.owner', '=', account)
}

/** Graphs that are a range of an index and have a counter: those of one owner or of all, shared, private or both. */
export interface IndexRange {
  owner?: string
  shared?: boolean
}

/** Returns the graphs that the viewer may see, as ranges without common rows. */
function visibleRanges({ account, isAdministrator }: Viewer): IndexRange[] {
  if (isAdministrator) return [{}]
  return account === undefined ? [] : [{ owner: account, shared: false }, { shared: true }]
}

/** Returns the graphs that the viewer may see and the filter asks for, as ranges without common rows. */
export function rangesOf(viewer: Viewer, { owner, shared }: Pick<GraphFilter, 'owner' | 'shared'>): IndexRange[] {
  if (owner === NOBODY) return []
  return visibleRanges(viewer).flatMap((range): IndexRange[] => {
    if (range.owner !== undefined && owner !== undefined && range.owner !== owner) return []
    if (range.shared !== undefined && shared !== undefined && range.shared !== shared) return []
    const narrowed = { ...range, ...(owner !== undefined && { owner }), ...(shared !== undefined && { shared }) }
    // The index of an owner's graphs has the shared ones after the private ones.
    if (narrowed.owner === undefined || narrowed.shared !== undefined) return [narrowed]
    return [
      { ...narrowed, shared: false },
      { ...narrowed, shared: true }
    ]
  })
}

/** Returns the viewer without the rights of an administrator, for lists of their own graphs. */
export function asMember({ account }: Viewer): Viewer {
  return { account, isAdministrator: false }
}

/** The properties of a range that make another query, and not only other parameters. */
export interface RangeShape {
  isOwned: boolean
  shared: boolean | undefined
}

export function rangeShapeOf({ owner, shared }: IndexRange): RangeShape {
  return { isOwned: owner !== undefined, shared }
}

/** Returns the parameters of the ranges of one viewer and filter. They have at most one owner. */
export function rangeParametersOf(ranges: readonly IndexRange[]) {
  return { owner: ranges.find(({ owner }) => owner !== undefined)?.owner ?? NOBODY }
}

/** Keeps the rows of the range. */
export function whereInRange<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { isOwned, shared }: RangeShape,
  { owner }: { owner: string }
) {
  const owned = isOwned ? query.where('owner', '=', owner) : query
  // A literal, as in the index of shared graphs: SQLite plans a query with a parameter there anew on each run.
  return shared === undefined ? owned : owned.where((eb) => eb('shared', '=', eb.lit(shared)))
}

/** Tells whether an index has the rows of the range, and no others, in order by id. */
export function isIndexed({ owner, shared }: IndexRange) {
  return owner !== undefined || shared !== false
}

const countsOf = prepared(
  (db, { owner }: { owner: string }) =>
    db.selectFrom('graphCount').select(['shared', 'count']).where('owner', '=', owner),
  { remembers: true }
)

/** Returns the number of graphs in the range, from counters that triggers keep. */
export async function countRange(db: Db, { owner = NOBODY, shared }: IndexRange): Promise<number> {
  const rows = await countsOf(db, { owner })
  return rows
    .filter((row) => shared === undefined || Boolean(row.shared) === shared)
    .reduce((total, { count }) => total + Number(count), 0)
}
