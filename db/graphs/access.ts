import { type Expression, type ExpressionBuilder, expressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { GrantedAccess } from '../../schemas/grant.ts'
import { type Access, accesses, type GraphFilter } from '../../schemas/graph.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Actor } from '../actors.ts'
import { prepared } from '../engine/prepared.ts'
import type { Db } from '../store.ts'
import type { GraphRow, Tables } from '../tables.ts'

// The access rule: who can see a graph and who can change it. The rule has four forms here: for a record, for the condition of
// a lookup, for the ranges of a list, and for the trash. test/sharing/access.test.ts compares them.

/** The properties of an actor that the rule depends on. */
export type Viewer = Pick<Actor, 'account' | 'userId' | 'isAdministrator'>

/** The properties of a graph that the rule depends on. */
export interface OwnedGraph extends Pick<GraphRow, 'owner' | 'shared'> {
  /** The highest right granted to the viewer or one of their groups, or null if no right was granted. */
  granted: GrantedAccess | null
}

/** Returns the viewer's access level for the graph, or undefined if they cannot see it. */
export function accessTo({ account, isAdministrator }: Viewer, graph: OwnedGraph): Access | undefined {
  if (isAdministrator || graph.owner === account) return 'OWNER'
  if (account === undefined) return undefined
  return graph.granted ?? (graph.shared ? 'READ' : undefined)
}

/**
 * Returns the viewer's access level for a graph that a query has found for them. Throws an Error if they have no access, so
 * that nothing is disclosed.
 */
export function requireAccess(viewer: Viewer, graph: OwnedGraph): Access {
  const access = accessTo(viewer, graph)
  if (access === undefined) throw new Error('a query returned a graph that the viewer may not see')
  return access
}

/** Each right includes the preceding ones. `accesses` lists the highest right first. */
const rights: readonly (Access | undefined)[] = accesses.toReversed()

/** Returns whether the viewer has at least this access level on the graph. */
export function hasRight(viewer: Viewer, right: Access, graph: OwnedGraph): boolean {
  return rights.indexOf(accessTo(viewer, graph)) >= rights.indexOf(right)
}

/** Returns the graph. Throws `graph-not-found` if it is undefined, which means that the actor cannot see a graph with this id. */
export function requireGraph<T>(graph: T | undefined): T {
  if (graph === undefined) throw new ProblemError('graph-not-found')
  return graph
}

/** Returns the version of a graph. Throws `graph-not-found` if it is undefined, or `version-not-found` if it is null. */
export function requireVersion<T>(version: T | null | undefined): T {
  const present = requireGraph(version)
  if (present === null) throw new ProblemError('version-not-found')
  return present
}

/** The problem details for denied access, by the access level that the viewer lacks. */
const refusals: Record<Access, string> = {
  READ: 'You cannot read this graph.',
  WRITE: 'You can read this graph, but not change it.',
  OWNER: 'Only the owner and administrators can share, transfer or delete this graph.'
}

/** Returns a graph that the viewer may read, if they have the required right. Otherwise throws `forbidden`. */
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

/**
 * A fictitious owner who has no graphs, because logins are never empty. In `graphCount`, this owner's rows count the graphs of
 * all owners.
 */
export const NOBODY = ''

/** An id that matches no user, because ids start at 1. */
const NO_USER = 0

/** The viewer, as query parameters. */
export interface ViewerParameters {
  account: string
  userId: number
  isAdministrator: boolean
}

/** Converts the viewer to query parameters. */
export function viewerParametersOf({ account = NOBODY, userId = NO_USER, isAdministrator }: Viewer): ViewerParameters {
  return { account, userId, isAdministrator }
}

/** The parameters of `selectVisible`. */
export interface Lookup extends ViewerParameters {
  id: number
}

/** Returns the parameters that `selectVisible` needs to look up this graph. */
export function lookupOf(viewer: Viewer, id: number): Lookup {
  return { id, ...viewerParametersOf(viewer) }
}

/** Selects the graph with this id if the viewer may see it. */
export function selectVisible(db: Db, lookup: Lookup) {
  return whereVisible(db.selectFrom('graph').where('graph.id', '=', lookup.id), lookup)
}

/** Limits a query to graphs that the viewer may see. */
export function whereVisible<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { account, userId, isAdministrator }: ViewerParameters
) {
  return query.where((eb) =>
    eb.or([
      eb('graph.owner', '=', account),
      eb.and([eb('graph.shared', '=', eb.lit(true)), eb(eb.val(account), '<>', sql.lit(NOBODY))]),
      eb(eb.val(isAdministrator), '=', true),
      eb.exists(selectGrants(eb, userId).select('access'))
    ])
  )
}

/** Returns the `granted` column of OwnedGraph, for a query on `graph`. It is null for owners, who need no grant. */
export function grantedTo(
  eb: ExpressionBuilder<Tables, 'graph'>,
  { account, userId }: Pick<Lookup, 'account' | 'userId'>
) {
  return eb.case().when('graph.owner', '<>', account).then(highestGrant(eb, userId)).end().as('granted')
}

/** Selects the highest right granted to the user on the graph in the outer query, or null if no right was granted. */
function highestGrant(eb: ExpressionBuilder<Tables, 'graph'>, userId: number): Expression<GrantedAccess | null> {
  // Compared as text, WRITE is greater than READ.
  return selectGrants(eb, userId).select((eb) => eb.fn.max('access').as('access')) as never
}

/** Selects the user's grants to the graph in the outer query, whether direct or through a group. */
function selectGrants(eb: ExpressionBuilder<Tables, 'graph'>, userId: number) {
  return eb
    .selectFrom('graphGrant')
    .whereRef('graphGrant.graphId', '=', 'graph.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('granteeType', '=', sql.lit('USER' as const)), eb('granteeId', '=', userId)]),
        eb.and([
          eb('granteeType', '=', sql.lit('GROUP' as const)),
          eb.exists(
            eb
              .selectFrom('groupMember')
              .select('userId')
              .whereRef('groupMember.groupId', '=', 'graphGrant.granteeId')
              .where('groupMember.userId', '=', userId)
          )
        ])
      ])
    )
}

/** Limits a query to graphs that the viewer owns. Only the owner can see a graph in the trash. */
export function whereOwned<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { account = NOBODY, isAdministrator }: Omit<Viewer, 'userId'>
) {
  return isAdministrator ? query : query.where('graph.owner', '=', account)
}

/**
 * A part of a list: the shared graphs, the private graphs or both, of one owner or of all owners. Each of these ranges has a
 * counter, and each is contiguous in an index, except for the private graphs of all owners. With `isGranted`, the range
 * contains other users' private graphs that were granted to the viewer.
 */
export interface IndexRange {
  owner?: string
  shared?: boolean
  isGranted?: true
}

/** Returns the graphs that the viewer may see, as disjoint ranges. */
function visibleRanges({ account, userId, isAdministrator }: Viewer): IndexRange[] {
  if (isAdministrator) return [{}]
  if (account === undefined) return []
  const granted = { shared: false, isGranted: true } as const
  return [{ owner: account, shared: false }, { shared: true }, ...(userId === undefined ? [] : [granted])]
}

/** Returns the graphs that the viewer may see and that match the filter, as disjoint ranges. */
export function rangesOf(
  viewer: Viewer,
  { owner, shared, access }: Pick<GraphFilter, 'owner' | 'shared' | 'access'>
): IndexRange[] {
  if (owner === NOBODY) return []
  if (access !== undefined && viewer.isAdministrator)
    return access === 'OWNER' ? rangesOf(viewer, { owner, shared }) : []
  if (access === 'OWNER') {
    const isOther = viewer.account === undefined || (owner !== undefined && owner !== viewer.account)
    return isOther ? [] : rangesOf(viewer, { owner: viewer.account, shared })
  }
  return visibleRanges(viewer).flatMap((range): IndexRange[] => {
    if (range.owner !== undefined && owner !== undefined && range.owner !== owner) return []
    if (range.shared !== undefined && shared !== undefined && range.shared !== shared) return []
    // The viewer owns no graphs in the granted range. Access to shared graphs is checked row by row (see `whereAccess`).
    if (range.isGranted && owner === viewer.account) return []
    if (access !== undefined && range.owner !== undefined) return []
    const narrowed: IndexRange = {
      ...range,
      ...(owner !== undefined && { owner }),
      ...(shared !== undefined && { shared })
    }
    // In the index of an owner's graphs, private graphs precede shared ones.
    if (narrowed.owner === undefined || narrowed.shared !== undefined) return [narrowed]
    return [
      { ...narrowed, shared: false },
      { ...narrowed, shared: true }
    ]
  })
}

/** Returns the viewer without administrator rights, for lists of the viewer's own graphs. */
export function asMember({ account, userId }: Viewer): Viewer {
  return { account, userId, isAdministrator: false }
}

/** The properties of a range that change the SQL, not just the parameters. */
export interface RangeShape {
  isOwned: boolean
  shared: boolean | undefined
  isGranted: boolean
}

export function rangeShapeOf({ owner, shared, isGranted }: IndexRange): RangeShape {
  return { isOwned: owner !== undefined, shared, isGranted: isGranted === true }
}

/** Returns the parameters for the ranges of one viewer and filter. The ranges have at most one owner in total. */
export function rangeParametersOf(ranges: readonly IndexRange[]) {
  return { owner: ranges.find(({ owner }) => owner !== undefined)?.owner ?? NOBODY }
}

/** Limits a query to the rows of the range. */
export function whereInRange<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { isOwned, shared, isGranted }: RangeShape,
  { owner, account, userId }: { owner: string } & Pick<ViewerParameters, 'account' | 'userId'>
) {
  const owned = isOwned ? query.where('graph.owner', '=', owner) : query
  // This must be a literal, as in the condition of the partial index on shared graphs. Otherwise, engines do not use that index.
  const visible = shared === undefined ? owned : owned.where((eb) => eb('graph.shared', '=', eb.lit(shared)))
  if (!isGranted) return visible
  return visible.where('graph.owner', '<>', account).where('graph.id', 'in', (eb) => selectGrantedIds(eb, userId))
}

/**
 * Limits a query to graphs to which the viewer has exactly this access level. The viewer must be able to see all graphs in the
 * query.
 */
export function whereAccess<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  access: GrantedAccess,
  viewer: Pick<ViewerParameters, 'account' | 'userId'>
) {
  return query
    .where('graph.owner', '<>', viewer.account)
    .where((eb) => eb(eb.fn.coalesce(highestGrant(eb, viewer.userId), sql.lit('READ')), '=', access))
}

/** Selects the ids of private graphs outside the trash that are granted to the user, directly or through a group. */
export function selectGrantedIds(eb: ExpressionBuilder<Tables, 'graph'>, userId: number) {
  const listed = eb
    .selectFrom('graphGrant')
    .select('graphGrant.graphId')
    .where((eb) => eb('listed', '=', eb.lit(true)))
  return listed
    .where('granteeType', '=', sql.lit('USER' as const))
    .where('granteeId', '=', userId)
    .union(
      listed
        .where('granteeType', '=', sql.lit('GROUP' as const))
        .where('granteeId', 'in', (eb) => eb.selectFrom('groupMember').select('groupId').where('userId', '=', userId))
    )
}

/** Selects the number of other users' private graphs that are granted to the user. Reads all of those grants. */
export function selectGrantedCount(db: Db, { account, userId }: Pick<ViewerParameters, 'account' | 'userId'>) {
  const own = db
    .selectFrom('graph')
    .select('id as graphId')
    .where('owner', '=', account)
    .where((eb) => eb('shared', '=', eb.lit(false)))
  const granted = selectGrantedIds(expressionBuilder<Tables, 'graph'>(), userId).except(own)
  return db.selectFrom(granted.as('granted')).select((eb) => eb.fn.countAll<number>().as('count'))
}

/** Returns whether an index contains exactly the rows of the range, in id order. */
export function isIndexed({ owner, shared, isGranted }: IndexRange) {
  return !isGranted && (owner !== undefined || shared !== false)
}

const countsOf = prepared(
  (db, { owner }: { owner: string }) =>
    db.selectFrom('graphCount').select(['shared', 'count']).where('owner', '=', owner),
  { remembers: true }
)

/**
 * Returns the number of graphs in an indexed range, or in the range of all private graphs, using counters maintained by triggers.
 */
export async function countRange(db: Db, { owner = NOBODY, shared }: IndexRange): Promise<number> {
  const rows = await countsOf(db, { owner })
  return rows
    .filter((row) => shared === undefined || Boolean(row.shared) === shared)
    .reduce((total, { count }) => total + Number(count), 0)
}
