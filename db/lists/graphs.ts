import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '../../graph/content/words.ts'
import type { GrantedAccess, GranteeType } from '../../schemas/grant.ts'
import type { GraphFilter, GraphRecord, graphSorts } from '../../schemas/graph.ts'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import type { Actor } from '../actors.ts'
import { preparedByShape } from '../engine/prepared.ts'
import { type FilterShape, Filters } from '../filters.ts'
import {
  accessTo,
  asMember,
  countRange,
  grantedTo,
  type IndexRange,
  isIndexed,
  type OwnedGraph,
  type RangeShape,
  rangeParametersOf,
  rangeShapeOf,
  rangesOf,
  requireAccess,
  type Viewer,
  type ViewerParameters,
  viewerParametersOf,
  whereAccess,
  whereInRange
} from '../graphs/access.ts'
import { countGranted, findGrantees, type GranteeParameters, granteeParametersOf } from '../graphs/grantees.ts'
import { type GraphAsListed, LISTED_COLUMNS, toRecord } from '../graphs/graphs.ts'
import { sortNameOf } from '../graphs/name-order.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf,
  startAfter
} from '../paging.ts'
import type { Db, Reader } from '../store.ts'
import type { Tables } from '../tables.ts'

/** The filters for graphs and the trash whose conditions do not depend on the viewer. */
export type RowFilter = Omit<GraphFilter, 'access'>

/** The filters on rows. Lists of graphs instead convert `owner` and `shared` to index ranges (see `rangesOf`). */
export const graphFilterRules = new Filters<'graph', RowFilter>({
  type: { where: (eb, type) => eb('type', '=', type) },
  owner: { where: (eb, owner) => eb('owner', '=', owner) },
  shared: { where: (eb, shared) => eb('shared', '=', shared) },
  // A graph matches if it has all of the tags. Tags contain no commas, so in the stored form every comma is a separator, followed
  // by a tag in JSON.
  tags: {
    where: (_eb, tags) =>
      sql<SqlBool>`NOT EXISTS (SELECT 1 FROM json_each(${tags}) AS "wanted" WHERE instr(',' || substr("graph"."tags", 2), "wanted"."value") = 0)`,
    toParameter: (tags) =>
      JSON.stringify(
        tags
          .split(',')
          .filter(Boolean)
          .map((tag) => `,${JSON.stringify(tag)}`)
      )
  },
  q: { where: (eb, text) => eb(sql<number>`instr("searchText", ${text})`, '>', 0), toParameter: fold }
})

/** The names of the row filters, and the access level that the viewer must have. */
interface FilterOfRows {
  filters: FilterShape<RowFilter>
  access: GrantedAccess | undefined
}

/** The properties of a list that change the SQL, not just the parameters. */
interface ListShape extends SliceShape, FilterOfRows {
  ranges: RangeShape[]
  /** The number of users and groups whose grants the list merges (see `selectFirst`). */
  grantees: number
  /** Whether the viewer may have grants. */
  hasGrants: boolean
}

interface CountShape extends FilterOfRows {
  range: RangeShape
}

type CountParameters = Required<RowFilter> & ViewerParameters
/** `reach` is the number of rows from the start of the list to the end of the slice. */
type ListParameters = SliceParameters & CountParameters & GranteeParameters & { reach: number }

type GraphQuery<O> = SelectQueryBuilder<Tables, 'graph', O>

/** The listed columns of a graph, with the access level granted to the viewer. */
type ListedGraph = GraphAsListed & OwnedGraph

function select(
  db: Db,
  { hasGrants, sorts }: Pick<ListShape, 'hasGrants' | 'sorts'>,
  viewer: ViewerParameters
): GraphQuery<ListedGraph> {
  return db
    .selectFrom('graph')
    .select(LISTED_COLUMNS)
    .$if(
      sorts.some(({ field }) => field === 'name'),
      (query) => query.select('sortName')
    )
    .select((eb) => (hasGrants ? grantedTo(eb, viewer) : sql<null>`NULL`.as('granted')))
}

const selectPage = preparedByShape((db, shape: ListShape, parameters: ListParameters) => {
  if (shape.grantees > 0) return selectFirst(db, shape, parameters)
  const ranges = shape.ranges.map((range) => matching(select(db, shape, parameters), shape, range, parameters))
  const [only] = ranges
  if (only && ranges.length === 1) return applySlice(only, shape, parameters, sortColumn)
  // The engine reads each range in index order, and merges the ranges only as far as the slice requires.
  const [first, ...rest] = ranges.map((range) => startAfter(range, shape, parameters, sortColumn))
  if (!first) throw new Error('a list must have at least one range')
  const all = db.selectFrom(rest.reduce((union, range) => union.unionAll(range), first).as('graph')).selectAll()
  return applySlice(all as unknown as GraphQuery<ListedGraph>, { ...shape, isContinued: false }, parameters, sortColumn)
})

/**
 * Selects a slice ordered by id, for a viewer with grants. The engine merges the ids of all ranges and of the grants to each
 * grantee, in index order and only as far as the slice requires. Some graphs appear in more than one part.
 */
function selectFirst(db: Db, { sorts, ...listShape }: ListShape, parameters: ListParameters): GraphQuery<ListedGraph> {
  // Ids are unique, so further sort fields have no effect.
  const shape = { ...listShape, sorts: sorts.slice(0, 1) }
  const direction = sorts[0]?.direction ?? 'asc'
  const ranges = shape.ranges.map((range) => whereInRange(db.selectFrom('graph').select('graph.id'), range, parameters))
  const granted = Array.from({ length: shape.grantees }, (_, index) =>
    db
      .selectFrom('graphGrant')
      .select('graphId as id')
      .where('granteeType', '=', parameters[`granteeType${index}`] as GranteeType)
      .where('granteeId', '=', parameters[`granteeId${index}`] as number)
      .where((eb) => eb('listed', '=', eb.lit(true)))
  ) as unknown as GraphQuery<{ id: number }>[]
  const [first, ...rest] = [...ranges, ...granted].map((query, index) => {
    const column = () => sql.ref<number>(index < ranges.length ? 'graph.id' : 'graphGrant.graphId')
    const after = startAfter(query, shape, parameters, column)
    if (direction === 'asc') return after
    // PostgreSQL would sort the whole union to read it backwards. The slice lies within the first `reach` rows of each part.
    const part = after.orderBy(column(), direction).limit(parameters.reach)
    return db.selectFrom(part.as('part')).select('part.id as id') as unknown as typeof after
  })
  if (!first) throw new Error('a list must have at least one range')
  const ids = rest.reduce((union, query) => union.union(query) as typeof first, first)
  const bounds = { ...shape, isContinued: false }
  const slice = applySlice(ids, bounds, parameters, () => sql.ref<number>('id'))
  const listed = select(db, shape, parameters).where('graph.id', 'in', slice)
  return shape.sorts.reduce(
    (sorted, { field, direction }) => sorted.orderBy(`graph.${field as 'id'}`, direction),
    listed
  )
}

const selectCount = preparedByShape((db, shape: CountShape, parameters: CountParameters) =>
  matching(
    db.selectFrom('graph').select((eb) => eb.fn.countAll<number>().as('count')),
    shape,
    shape.range,
    parameters
  )
)

/** Returns the graphs that the viewer may read and that match the filter, ordered and limited by the slice. */
export function listGraphs(reader: Reader, viewer: Viewer, filter: GraphFilter, slice: Slice): Promise<GraphRecord[]> {
  return listRanges(reader, viewer, rangesOf(viewer, filter), filter, slice)
}

/**
 * The maximum number of ids that one query merges. Slices beyond this limit use a slower query that reads all of the viewer's
 * grants.
 */
const MERGED_AT_ONCE = 20_000
/** The maximum number of grantees whose grants are merged. SQLite allows at most 500 parts in a union. */
const MERGED_GRANTEES = 400

/** Returns the graphs in these ranges. The viewer may read all of them. */
async function listRanges(
  reader: Reader,
  viewer: Viewer,
  wanted: IndexRange[],
  filter: GraphFilter,
  slice: Slice
): Promise<GraphRecord[]> {
  const grantees = await findGrantees(reader.read, viewer)
  const ranges = grantees.length > 0 ? wanted : wanted.filter(({ isGranted }) => !isGranted)
  if (ranges.length === 0) return []

  const rows = filterOfRows(filter)
  const listing = grantees.filter(({ listed }) => listed > 0)
  // If true, indexes return the rows of each part in the order of the slice.
  const isQuick =
    rows.filters.length === 0 &&
    rows.access === undefined &&
    (isNear(slice) || (isNearByName(slice, ranges) && listing.length === 0)) &&
    listing.length <= MERGED_GRANTEES &&
    (listing.length === 0 || (slice.offset + slice.limit) * listing.length <= MERGED_AT_ONCE) &&
    ranges.every((range) => (range.isGranted ? range.owner === undefined : isIndexed(range)))
  const parts = isQuick ? ranges.filter(({ isGranted }) => !isGranted) : ranges
  const merged = parts.length < ranges.length ? listing : []
  const shape = {
    ...sliceShapeOf(slice),
    ...rows,
    ranges: parts.map(rangeShapeOf),
    grantees: merged.length,
    hasGrants: grantees.length > 0 && !viewer.isAdministrator
  }
  const parameters = {
    ...parametersOfList(viewer, ranges, filter),
    ...sliceParametersOf(slice),
    ...granteeParametersOf(merged),
    reach: slice.offset + slice.limit
  }
  const found = await selectPage(isQuick ? reader.read : reader.scan, shape, parameters)
  const isGone = (row: ListedGraph) => accessTo(viewer, row) === undefined
  // A grant was revoked after the grantees were read. Start again, because the page would otherwise be too short.
  if (merged.length > 0 && found.some(isGone)) return listRanges(reader, viewer, wanted, filter, slice)
  return found.map((row) => toRecord(row, requireAccess(viewer, row)))
}

/**
 * Returns whether indexes on the name list the rows of the ranges in the slice's order. There is no index of all graphs,
 * because only administrators would use it, and it would slow down every change.
 */
function isNearByName(slice: Slice, ranges: IndexRange[]) {
  const [first, second] = slice.sorts
  const isInOrder = isNear(slice, 'name') && second?.field === 'id' && second.direction === first?.direction
  return isInOrder && ranges.every(({ owner, shared, isGranted }) => owner !== undefined || shared || isGranted)
}

/** Returns the number of graphs that the viewer may read and that match the filter. */
export async function countGraphs(reader: Reader, viewer: Viewer, filter: GraphFilter): Promise<number> {
  const { read, scan } = reader
  const grantees = (await findGrantees(read, viewer)).filter(({ listed }) => listed > 0)
  const ranges = rangesOf(viewer, filter).filter(({ isGranted }) => !isGranted || grantees.length > 0)
  const rows = filterOfRows(filter)
  const counts = await Promise.all(
    ranges.map(async (range) => {
      const isWhole = rows.filters.length === 0 && rows.access === undefined && !(range.isGranted && range.owner)
      if (isWhole) return range.isGranted ? countGranted(reader, viewer, grantees) : countRange(read, range)
      const shape = { ...rows, range: rangeShapeOf(range) }
      const [counted] = await selectCount(scan, shape, parametersOfList(viewer, ranges, filter))
      return Number(counted?.count ?? 0)
    })
  )
  return counts.reduce((total, some) => total + some, 0)
}

/** Returns the graphs that the actor's account owns, and those that are shared with it or granted to it. */
export function listOwnAndShared(reader: Reader, actor: Actor, slice: Slice): Promise<GraphRecord[]> {
  return listRanges(reader, actor, rangesOf(asMember(actor), {}), {}, slice)
}

/** Returns the graph's value for the field that the list is sorted by. It equals the value of `sortColumn`. */
export function graphSortKey(graph: GraphRecord, field: string): SortKey {
  if (field === 'name') return sortNameOf(graph.name)
  const value = graph[field as (typeof graphSorts)[number]] ?? ''
  return typeof value === 'boolean' ? Number(value) : value
}

/** Returns the filters that apply within ranges: all except those that select the ranges. */
function filterOfRows({ owner: _owner, shared: _shared, access, ...filter }: GraphFilter): FilterOfRows {
  return { filters: graphFilterRules.shapeOf(filter), access: access === 'OWNER' ? undefined : access }
}

function parametersOfList(
  viewer: Viewer,
  ranges: IndexRange[],
  { access: _, ...filter }: GraphFilter
): CountParameters {
  return {
    ...graphFilterRules.parametersOf(filter),
    ...viewerParametersOf(viewer),
    ...rangeParametersOf(ranges)
  }
}

function matching<O>(
  query: GraphQuery<O>,
  { filters, access }: FilterOfRows,
  range: RangeShape,
  parameters: CountParameters
) {
  const rows = graphFilterRules.apply(whereInRange(query, range, parameters), filters, parameters)
  return access === undefined ? rows : whereAccess(rows, access, parameters)
}

/**
 * Returns the expression that lists are sorted by. Null sorts like an empty string, so that all engines place it in the same
 * position.
 */
export function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graph'>): Expression<SortKey> {
  if (field === 'type' || field === 'description')
    return eb.fn.coalesce(`graph.${field}` as const, sql.lit('')) as Expression<SortKey>
  return eb.ref(field === 'name' ? 'graph.sortName' : `graph.${field as 'id'}`)
}
