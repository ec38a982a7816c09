import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { GraphFilter, GraphRecord } from '../schemas/graph.ts'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import type { Actor } from './actors.ts'
import { prepared, preparedByShape } from './engine/prepared.ts'
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

/**
 * A part of the graphs that are in order by id and counted, as it is: those of an owner or of everybody, that are
 * shared or not.
 */
interface Part {
  owner?: string
  shared?: boolean
}

/** Who sees a list. */
type Viewer = Pick<Actor, 'account' | 'isAdministrator'>

/** What the viewer may read of what the filter wants: parts without anything in common. */
function partsOf({ account, isAdministrator }: Viewer, { owner, shared }: GraphFilter): Part[] {
  const wanted = shared === undefined ? [false, true] : [shared]
  if (owner !== undefined && (owner === account || isAdministrator)) return wanted.map((shared) => ({ owner, shared }))
  if (isAdministrator) return shared === undefined ? [{}] : [{ shared }]
  return wanted.flatMap((shared): Part[] => {
    if (shared) return [owner === undefined ? { shared } : { owner, shared }]
    return owner === undefined && account !== undefined ? [{ owner: account, shared }] : []
  })
}

/** Whether rows of these parts that match the filter are found by their index alone. */
function areIndexed(parts: Part[], { type, q }: GraphFilter) {
  return (
    type === undefined && q === undefined && parts.every(({ owner, shared }) => owner !== undefined || shared !== false)
  )
}

interface PartShape {
  isOwned: boolean
  shared: boolean | undefined
}

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

const counted = prepared(
  (db, { owner }: { owner: string }) =>
    db.selectFrom('graphCount').select(['shared', 'count']).where('owner', '=', owner),
  { remembers: true }
)

/** The graphs that the actor may read and the filter lets through, in the order of the slice. */
export async function listGraphs(
  { read, scan }: Reader,
  viewer: Viewer,
  filter: GraphFilter,
  slice: Slice
): Promise<GraphRecord[]> {
  const parts = partsOf(viewer, filter)
  if (parts.length === 0) return []
  const db = areIndexed(parts, filter) && isNear(slice) ? read : scan
  const shape = { ...shapeOf(slice), ...filterShapeOf(filter), parts: parts.map(partShapeOf) }
  const rows = await page(db, shape, { ...filterParametersOf(parts, filter), ...parametersOf(slice) })
  return rows.map(toRecord)
}

/** How many graphs that the actor may read the filter lets through. */
export async function countGraphs({ read, scan }: Reader, viewer: Viewer, filter: GraphFilter): Promise<number> {
  const parts = partsOf(viewer, filter)
  const isCounted = filter.type === undefined && filter.q === undefined
  const counts = await Promise.all(
    parts.map(async (part) => {
      if (isCounted) {
        const rows = await counted(read, { owner: part.owner ?? '' })
        return sum(rows.filter(({ shared }) => part.shared === undefined || Boolean(shared) === part.shared))
      }
      const shape = { ...filterShapeOf(filter), part: partShapeOf(part) }
      return sum(await count(scan, shape, { ...filterParametersOf(parts, filter), offset: 0 }))
    })
  )
  return counts.reduce((total, some) => total + some, 0)
}

/** All graphs that the actor's account owns and all that are shared, by id, in batches of so many. */
export async function* ownAndShared(reader: Reader, { account }: Actor, limit: number): AsyncGenerator<GraphRecord[]> {
  const sorts = [{ field: 'id', direction: 'asc' }] satisfies Sort[]
  for (let after: SortKey[] | undefined; ; ) {
    const rows = await listGraphs(reader, { account, isAdministrator: false }, {}, { sorts, limit, offset: 0, after })
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = [last.id]
  }
}

/** What the graph is sorted by in this field; the same as sortColumn() gives. */
export function graphSortKey(graph: GraphRecord, field: string): SortKey {
  const value = graph[field as keyof GraphRecord] ?? ''
  return typeof value === 'boolean' ? Number(value) : value
}

function filterShapeOf({ type, q }: GraphFilter): FilterShape {
  return { hasType: type !== undefined, hasText: q !== undefined }
}

function partShapeOf({ owner, shared }: Part): PartShape {
  return { isOwned: owner !== undefined, shared }
}

function filterParametersOf(parts: Part[], { type = '', q = '' }: GraphFilter) {
  return { owner: parts.find(({ owner }) => owner !== undefined)?.owner ?? '', type, q: fold(q) }
}

function matching<O>(
  query: GraphQuery<O>,
  { hasType, hasText }: FilterShape,
  { isOwned, shared }: PartShape,
  { owner, type, q }: ListParameters
) {
  let matched = query
  if (isOwned) matched = matched.where('owner', '=', owner)
  // In the words of the index of shared graphs: SQLite plans a query anew each time that has a parameter there.
  if (shared !== undefined) matched = matched.where((eb) => eb('shared', '=', eb.lit(shared)))
  if (hasType) matched = matched.where('type', '=', type)
  if (hasText) matched = matched.where(sql`instr("searchText", ${q})`, '>', 0)
  return matched
}

function sum(rows: readonly { count: number }[]) {
  return rows.reduce((total, { count }) => total + Number(count), 0)
}

/** Absent text sorts like an empty one, so that every engine puts it in the same place. */
export function sortColumn(field: string, eb: ExpressionBuilder<Tables, 'graph'>): Expression<SortKey> {
  if (field === 'type' || field === 'description') return eb.fn.coalesce(field, sql.lit('')) as Expression<SortKey>
  return eb.ref(field as 'id')
}
