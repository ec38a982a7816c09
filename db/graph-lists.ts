import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { GraphFilter, GraphRecord } from '../schemas/graph.ts'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import {
  asMember,
  countRange,
  type IndexRange,
  isIndexed,
  type RangeShape,
  rangeParametersOf,
  rangeShapeOf,
  rangesOf,
  requireAccess,
  type Viewer,
  whereInRange
} from './access.ts'
import type { Actor } from './actors.ts'
import { preparedByShape } from './engine/prepared.ts'
import { type FilterShape, Filters } from './filters.ts'
import { type GraphAsListed, LISTED_COLUMNS, toRecord } from './graphs.ts'
import {
  applySlice,
  isNear,
  type SliceParameters,
  type SliceShape,
  sliceParametersOf,
  sliceShapeOf,
  startAfter,
  withSafeKeys
} from './paging.ts'
import { fold } from './search.ts'
import type { Reader } from './store.ts'
import type { Tables } from './tables.ts'

/** The filters of graphs and of the trash. Lists of graphs turn `owner` and `shared` into ranges of indexes, see `rangesOf`. */
export const graphFilterRules = new Filters<'graph', GraphFilter>({
  type: { where: (eb, type) => eb('type', '=', type) },
  owner: { where: (eb, owner) => eb('owner', '=', owner) },
  shared: { where: (eb, shared) => eb('shared', '=', shared) },
  q: { where: (eb, text) => eb(sql<number>`instr("searchText", ${text})`, '>', 0), toParameter: fold }
})

type GraphFilterShape = FilterShape<GraphFilter>

/** The properties of a list that make another query, and not only other parameters. */
type ListShape = SliceShape & { filters: GraphFilterShape; ranges: RangeShape[] }
interface CountShape {
  filters: GraphFilterShape
  range: RangeShape
}

type CountParameters = Required<GraphFilter>
type ListParameters = SliceParameters & CountParameters

type GraphQuery<O> = SelectQueryBuilder<Tables, 'graph', O>

const selectPage = preparedByShape((db, shape: ListShape, parameters: ListParameters) => {
  const ranges = shape.ranges.map((range) =>
    matching(withSafeKeys(db.selectFrom('graph').select(LISTED_COLUMNS), 'id'), shape.filters, range, parameters)
  )
  const [only] = ranges
  if (only && ranges.length === 1) return applySlice(only, shape, parameters, sortColumn)
  // The engine reads each range in the order of its index, and merges them as far as the slice reaches.
  const [first, ...rest] = ranges.map((range) => startAfter(range, shape, parameters, sortColumn))
  if (!first) throw new Error('a list has ranges')
  const all = db.selectFrom(rest.reduce((union, range) => union.unionAll(range), first).as('graph')).selectAll()
  return applySlice(
    all as unknown as GraphQuery<GraphAsListed>,
    { ...shape, isContinued: false },
    parameters,
    sortColumn
  )
})

const selectCount = preparedByShape((db, { range, filters }: CountShape, parameters: CountParameters) =>
  matching(
    db.selectFrom('graph').select((eb) => eb.fn.countAll<number>().as('count')),
    filters,
    range,
    parameters
  )
)

/** Returns the graphs that the viewer may read and that match the filter, in the order of the slice. */
export function listGraphs(reader: Reader, viewer: Viewer, filter: GraphFilter, slice: Slice): Promise<GraphRecord[]> {
  return listRanges(reader, viewer, rangesOf(viewer, filter), filter, slice)
}

/** Returns the graphs of these ranges, all of which the viewer may read. */
async function listRanges(
  { read, scan }: Reader,
  viewer: Viewer,
  ranges: IndexRange[],
  filter: GraphFilter,
  slice: Slice
): Promise<GraphRecord[]> {
  if (ranges.length === 0) return []
  const filters = filtersWithin(filter)
  const db = filters.length === 0 && ranges.every(isIndexed) && isNear(slice) ? read : scan
  const shape = { ...sliceShapeOf(slice), filters, ranges: ranges.map(rangeShapeOf) }
  const rows = await selectPage(db, shape, { ...parametersOfList(ranges, filter), ...sliceParametersOf(slice) })
  return rows.map((row) => toRecord(row, requireAccess(viewer, row)))
}

/** Returns the number of graphs that the viewer may read and that match the filter. */
export async function countGraphs({ read, scan }: Reader, viewer: Viewer, filter: GraphFilter): Promise<number> {
  const ranges = rangesOf(viewer, filter)
  const filters = filtersWithin(filter)
  const counts = await Promise.all(
    ranges.map(async (range) => {
      if (filters.length === 0) return countRange(read, range)
      const shape = { filters, range: rangeShapeOf(range) }
      const [counted] = await selectCount(scan, shape, parametersOfList(ranges, filter))
      return Number(counted?.count ?? 0)
    })
  )
  return counts.reduce((total, some) => total + some, 0)
}

/** Yields all graphs that the actor's account owns and all that are shared, by id, in batches of `limit`. */
export async function* listOwnAndShared(reader: Reader, actor: Actor, limit: number): AsyncGenerator<GraphRecord[]> {
  const sorts = [{ field: 'id', direction: 'asc' }] satisfies Sort[]
  const ranges = rangesOf(asMember(actor), {})
  for (let after: SortKey[] | undefined; ; ) {
    const rows = await listRanges(reader, actor, ranges, {}, { sorts, limit, offset: 0, after })
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = [last.id]
  }
}

/** Returns the value of the field by which lists of graphs are sorted: the same as that of `sortColumn`. */
export function graphSortKey(graph: GraphRecord, field: string): SortKey {
  const value = graph[field as keyof GraphRecord] ?? ''
  return typeof value === 'boolean' ? Number(value) : value
}

/** Returns the names of the filters that apply within ranges: all but those that choose the ranges. */
function filtersWithin({ owner: _owner, shared: _shared, ...filter }: GraphFilter): GraphFilterShape {
  return graphFilterRules.shapeOf(filter)
}

function parametersOfList(ranges: IndexRange[], filter: GraphFilter): CountParameters {
  return { ...graphFilterRules.parametersOf(filter), ...rangeParametersOf(ranges) }
}

function matching<O>(query: GraphQuery<O>, filters: GraphFilterShape, range: RangeShape, parameters: CountParameters) {
  return graphFilterRules.apply(whereInRange(query, range, parameters), filters, parameters)
}

/** Returns the expression that lists are sorted by. Absent text sorts like an empty one, in the same place on all engines. */
export function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graph'>): Expression<SortKey> {
  if (field === 'type' || field === 'description') return eb.fn.coalesce(field, sql.lit('')) as Expression<SortKey>
  return eb.ref(field as 'id')
}
