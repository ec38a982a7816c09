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

interface FilterShape {
  hasType: boolean
  hasText: boolean
}

/** What of a list makes another query, and not only another parameter. */
type ListShape = SliceShape & FilterShape & { parts: PartShape[] }
type CountShape = FilterShape & { part: PartShape }

interface ListParameters extends SliceParameters {
  owner: string
  type: string
  q: string
}

type GraphQuery<O> = SelectQueryBuilder<Tables, 'graph', O>
type ListedRow = Pick<GraphRow, (typeof LISTED)[number]>

const page = preparedByShape((db, shape: ListShape, parameters: ListParameters) => {
  const parts = shape.parts.map((part) =>
    matching(walkable(db.selectFrom('graph').select(LISTED), 'id'), shape, part, parameters)
  )
  const [only] = parts
  if (only && parts.length === 1) return sliced(only, shape, parameters, sortColumn)
  // Each in the order of its index, they are merged as far as the slice reaches.
  const [first, ...rest] = parts.map((part) => begun(part, shape, parameters, sortColumn))
  if (!first) throw new Error('a list has parts')
  const all = db.selectFrom(rest.reduce((union, part) => union.unionAll(part), first).as('graph')).selectAll()
  return sliced(all as unknown as GraphQuery<ListedRow>, { ...shape, goesOn: false }, parameters, sortColumn)
})

const count = preparedByShape((db, { part, ...shape }: CountShape, parameters: ListParameters) =>
  matching(
    db.selectFrom('graph').select((eb) => eb.fn.countAll<number>().as('count')),
    shape,
    part,
    parameters
  )
)

/** The graphs that the viewer may read and the filter lets through, in the order of the slice. */
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
  const db = takesWholeParts(filter) && parts.every(isIndexed) && isNear(slice) ? read : scan
  const shape = { ...shapeOf(slice), ...filterShapeOf(filter), parts: parts.map(partShapeOf) }
  const rows = await page(db, shape, { ...parametersOfList(parts, filter), ...parametersOf(slice) })
  return rows.map((row) => toRecord(row, accessShown(viewer, row)))
}

/** How many graphs that the viewer may read the filter lets through. */
export async function countGraphs({ read, scan }: Reader, viewer: Viewer, filter: GraphFilter): Promise<number> {
  const parts = partsOf(viewer, filter)
  const counts = await Promise.all(
    parts.map(async (part) => {
      if (takesWholeParts(filter)) return countPart(read, part)
      const shape = { ...filterShapeOf(filter), part: partShapeOf(part) }
      const [counted] = await count(scan, shape, { ...parametersOfList(parts, filter), offset: 0 })
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

function filterShapeOf({ type, q }: GraphFilter): FilterShape {
  return { hasType: type !== undefined, hasText: q !== undefined }
}

/** Whether the filter lets through whole parts, and not only some rows of them. */
function takesWholeParts({ type, q }: GraphFilter) {
  return type === undefined && q === undefined
}

function parametersOfList(parts: Part[], { type = '', q = '' }: GraphFilter) {
  return { ...partParametersOf(parts), type, q: fold(q) }
}

function matching<O>(
  query: GraphQuery<O>,
  { hasType, hasText }: FilterShape,
  part: PartShape,
  { owner, type, q }: ListParameters
) {
  let matched = whereInPart(query, part, { owner })
  if (hasType) matched = matched.where('type', '=', type)
  if (hasText) matched = matched.where(sql`instr("searchText", ${q})`, '>', 0)
  return matched
}

/** Absent text sorts like an empty one, so that every engine puts it in the same place. */
export function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graph'>): Expression<SortKey> {
  if (field === 'type' || field === 'description') return eb.fn.coalesce(field, sql.lit('')) as Expression<SortKey>
  return eb.ref(field as 'id')
}
