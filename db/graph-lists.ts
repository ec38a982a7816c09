import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { GraphFilter, GraphRecord } from '../schemas/graph.ts'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import {
  accessShown,
  asMember,
  countPart,
  isIndexed,
  type Part,
  type PartShape,
  partParametersOf,
  partShapeOf,
  partsOf,
  type Viewer,
  whereInPart
} from './access.ts'
import type { Actor } from './actors.ts'
import { preparedByShape } from './engine/prepared.ts'
import { type FilterShape, Filters } from './filters.ts'
import { LISTED, toRecord } from './graphs.ts'
import {
  begun,
  isNear,
  parametersOf,
  type SliceParameters,
  type SliceShape,
  shapeOf,
  sliced,
  walkable
} from './paging.ts'
import { fold } from './search.ts'
import type { Reader } from './store.ts'
import type { GraphRow, Tables } from './tables.ts'

/** The filters of graphs and of the trash. Lists of graphs turn `owner` and `shared` into parts of indexes, see `partsOf`. */
export const graphFilters = new Filters<'graph', GraphFilter>({
  type: { where: (eb, type) => eb('type', '=', type) },
  owner: { where: (eb, owner) => eb('owner', '=', owner) },
  shared: { where: (eb, shared) => eb('shared', '=', shared) },
  q: { where: (eb, text) => eb(sql<number>`instr("searchText", ${text})`, '>', 0), toParameter: fold }
})

type GraphFilterShape = FilterShape<GraphFilter>

/** The properties of a list that make another query, and not only other parameters. */
type ListShape = SliceShape & { filters: GraphFilterShape; parts: PartShape[] }
interface CountShape {
  filters: GraphFilterShape
  part: PartShape
}

type CountParameters = Required<GraphFilter>
type ListParameters = SliceParameters & CountParameters

type GraphQuery<O> = SelectQueryBuilder<Tables, 'graph', O>
type ListedRow = Pick<GraphRow, (typeof LISTED)[number]>

const page = preparedByShape((db, shape: ListShape, parameters: ListParameters) => {
  const parts = shape.parts.map((part) =>
    matching(walkable(db.selectFrom('graph').select(LISTED), 'id'), shape.filters, part, parameters)
  )
  const [only] = parts
  if (only && parts.length === 1) return sliced(only, shape, parameters, sortColumn)
  // Each in the order of its index, they are merged as far as the slice reaches.
  const [first, ...rest] = parts.map((part) => begun(part, shape, parameters, sortColumn))
  if (!first) throw new Error('a list has parts')
  const all = db.selectFrom(rest.reduce((union, part) => union.unionAll(part), first).as('graph')).selectAll()
  return sliced(all as unknown as GraphQuery<ListedRow>, { ...shape, goesOn: false }, parameters, sortColumn)
})

const count = preparedByShape((db, { part, filters }: CountShape, parameters: CountParameters) =>
  matching(
    db.selectFrom('graph').select((eb) => eb.fn.countAll<number>().as('count')),
    filters,
    part,
    parameters
  )
)

/** Returns the graphs that the viewer may read and that match the filter, in the order of the slice. */
export function listGraphs(reader: Reader, viewer: Viewer, filter: GraphFilter, slice: Slice): Promise<GraphRecord[]> {
  return listParts(reader, viewer, partsOf(viewer, filter), filter, slice)
}

/** The graphs of these parts, which the viewer may read. */
async function listParts(
  { read, scan }: Reader,
  viewer: Viewer,
  parts: Part[],
  filter: GraphFilter,
  slice: Slice
): Promise<GraphRecord[]> {
  if (parts.length === 0) return []
  const filters = filtersWithin(filter)
  const db = filters.length === 0 && parts.every(isIndexed) && isNear(slice) ? read : scan
  const shape = { ...shapeOf(slice), filters, parts: parts.map(partShapeOf) }
  const rows = await page(db, shape, { ...parametersOfList(parts, filter), ...parametersOf(slice) })
  return rows.map((row) => toRecord(row, accessShown(viewer, row)))
}

/** Returns the number of graphs that the viewer may read and that match the filter. */
export async function countGraphs({ read, scan }: Reader, viewer: Viewer, filter: GraphFilter): Promise<number> {
  const parts = partsOf(viewer, filter)
  const filters = filtersWithin(filter)
  const counts = await Promise.all(
    parts.map(async (part) => {
      if (filters.length === 0) return countPart(read, part)
      const shape = { filters, part: partShapeOf(part) }
      const [counted] = await count(scan, shape, parametersOfList(parts, filter))
      return Number(counted?.count ?? 0)
    })
  )
  return counts.reduce((total, some) => total + some, 0)
}

/** All graphs that the actor's account owns and all that are shared, by id, in batches of so many. */
export async function* ownAndShared(reader: Reader, actor: Actor, limit: number): AsyncGenerator<GraphRecord[]> {
  const sorts = [{ field: 'id', direction: 'asc' }] satisfies Sort[]
  const parts = partsOf(asMember(actor), {})
  for (let after: SortKey[] | undefined; ; ) {
    const rows = await listParts(reader, actor, parts, {}, { sorts, limit, offset: 0, after })
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

/** Returns the filters that take rows out of parts: all but those that choose the parts. */
function filtersWithin({ owner: _owner, shared: _shared, ...filter }: GraphFilter): GraphFilterShape {
  return graphFilters.shapeOf(filter)
}

function parametersOfList(parts: Part[], filter: GraphFilter): CountParameters {
  return { ...graphFilters.parametersOf(filter), ...partParametersOf(parts) }
}

function matching<O>(query: GraphQuery<O>, filters: GraphFilterShape, part: PartShape, parameters: CountParameters) {
  return graphFilters.apply(whereInPart(query, part, parameters), filters, parameters)
}

/** Absent text sorts like an empty one, so that every engine puts it in the same place. */
export function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graph'>): Expression<SortKey> {
  if (field === 'type' || field === 'description') return eb.fn.coalesce(field, sql.lit('')) as Expression<SortKey>
  return eb.ref(field as 'id')
}
