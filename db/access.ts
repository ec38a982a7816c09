import { type SelectQueryBuilder, sql } from 'kysely'
import { ProblemError } from '../schemas/errors.ts'
import type { Access, GraphFilter } from '../schemas/graph.ts'
import type { Actor } from './actors.ts'
import { prepared } from './engine/prepared.ts'
import type { Db } from './store.ts'
import type { GraphRow, Tables } from './tables.ts'

// Who may see a graph, and who may change it. The rule stands here in four forms, side by side: for a graph that is at hand, as a
// condition of a lookup, as the ranges that lists are put together from, and for the trash. test/access.test.ts holds them to the same answer.

/** What the rule looks at of an actor. */
export type Viewer = Pick<Actor, 'account' | 'isAdministrator'>

/** What it looks at of a graph. */
export type OwnedGraph = Pick<GraphRow, 'owner' | 'shared'>

/** Returns what the viewer may do with the graph; undefined where it is as good as none to them. */
export function accessTo({ account, isAdministrator }: Viewer, graph: OwnedGraph): Access | undefined {
  if (isAdministrator || graph.owner === account) return 'OWNER'
  return graph.shared && account !== undefined ? 'READ' : undefined
}

/**
 * Returns what the viewer may do with a graph that is about to be shown to them. That they may see it has been judged already:
 * where they may not, this throws, and nothing is shown.
 */
export function requireAccess(viewer: Viewer, graph: OwnedGraph): Access {
  const access = accessTo(viewer, graph)
  if (access === undefined) throw new Error('a graph was found that is not to be seen')
  return access
}

/** Each right holds those before it. */
const rights: readonly (Access | undefined)[] = ['READ', 'WRITE', 'OWNER'] satisfies Access[]

/** Tells whether the viewer may do this with the graph. */
export function mayDo(viewer: Viewer, right: Access, graph: OwnedGraph): boolean {
  return rights.indexOf(accessTo(viewer, graph)) >= rights.indexOf(right)
}

/** Returns the graph. Throws `graph-not-found` where there is none, or none that the actor may see. */
export function requireGraph<T>(graph: T | undefined): T {
  if (graph === undefined) throw new ProblemError('graph-not-found')
  return graph
}

/** Returns the version of a graph. Throws `graph-not-found` where it is undefined, and `version-not-found` where it is null. */
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
  if (mayDo(viewer, right, graph)) return graph
  throw new ProblemError('forbidden', {
    detail: refusals[right],
    target: { type: 'GRAPH', id: graph.id, name: graph.name }
  })
}

/** The parameters of `selectVisible`. */
export interface Lookup {
  id: number
  account: string
  isAdministrator: boolean
}

/** The lookup of a graph by its id, as the viewer sees it. No account has an empty name. */
export function lookupOf({ account = '', isAdministrator }: Viewer, id: number): Lookup {
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
        eb.and([eb('graph.shared', '=', eb.lit(true)), eb(eb.val(account), '<>', sql.lit(''))]),
        eb(eb.val(isAdministrator), '=', true)
      ])
    )
}

/** Leaves of the rows those whose graph the viewer owns: only its owner may see a graph that is in the trash. */
export function whereOwned<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { account = '', isAdministrator }: Viewer
) {
  return isAdministrator ? query : query.where('graph.owner', '=', account)
}

/** A part of the graphs that is in order by id and counted as it is: those of an owner or of everybody, that are shared or not. */
export interface IndexRange {
  owner?: string
  shared?: boolean
}

/** The graphs that the viewer may see, as ranges without anything in common. */
function visibleRanges({ account, isAdministrator }: Viewer): IndexRange[] {
  if (isAdministrator) return [{}]
  return account === undefined ? [] : [{ owner: account, shared: false }, { shared: true }]
}

/** Returns of what the viewer may see that which the filter wants, as ranges without anything in common. */
export function rangesOf(viewer: Viewer, { owner, shared }: Pick<GraphFilter, 'owner' | 'shared'>): IndexRange[] {
  // Nobody has an empty login, and counts that have no owner are under it.
  if (owner === '') return []
  return visibleRanges(viewer).flatMap((range): IndexRange[] => {
    if (range.owner !== undefined && owner !== undefined && range.owner !== owner) return []
    if (range.shared !== undefined && shared !== undefined && range.shared !== shared) return []
    const narrowed = { ...range, ...(owner !== undefined && { owner }), ...(shared !== undefined && { shared }) }
    // The index of an owner's graphs has those that are shared after the others.
    if (narrowed.owner === undefined || narrowed.shared !== undefined) return [narrowed]
    return [
      { ...narrowed, shared: false },
      { ...narrowed, shared: true }
    ]
  })
}

/** The viewer without what only administrators may: for lists of what is theirs. */
export function asMember({ account }: Viewer): Viewer {
  return { account, isAdministrator: false }
}

/** What of a part makes another query, and not only another parameter. */
export interface RangeShape {
  isOwned: boolean
  shared: boolean | undefined
}

export function rangeShapeOf({ owner, shared }: IndexRange): RangeShape {
  return { isOwned: owner !== undefined, shared }
}

/** The parameters of ranges that one viewer has with one filter: whatever they have an owner for, it is the same one. */
export function rangeParametersOf(ranges: readonly IndexRange[]) {
  return { owner: ranges.find(({ owner }) => owner !== undefined)?.owner ?? '' }
}

/** Leaves of the rows those of the range. */
export function whereInRange<O>(
  query: SelectQueryBuilder<Tables, 'graph', O>,
  { isOwned, shared }: RangeShape,
  { owner }: { owner: string }
) {
  const owned = isOwned ? query.where('owner', '=', owner) : query
  // In the words of the index of shared graphs: SQLite plans a query anew each time that has a parameter there.
  return shared === undefined ? owned : owned.where((eb) => eb('shared', '=', eb.lit(shared)))
}

/** Tells whether an index has the rows of the part, and no others, in order by id. */
export function isIndexed({ owner, shared }: IndexRange) {
  return owner !== undefined || shared !== false
}

const countsOf = prepared(
  (db, { owner }: { owner: string }) =>
    db.selectFrom('graphCount').select(['shared', 'count']).where('owner', '=', owner),
  { remembers: true }
)

/** Returns how many graphs the part has; they are counted as they change. */
export async function countRange(db: Db, { owner = '', shared }: IndexRange): Promise<number> {
  const rows = await countsOf(db, { owner })
  return rows
    .filter((row) => shared === undefined || Boolean(row.shared) === shared)
    .reduce((total, { count }) => total + Number(count), 0)
}
