import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Slice, SortKey } from '../../schemas/parameters.ts'
import type { TagCount } from '../../schemas/tag.ts'
import { preparedByShape } from '../engine/prepared.ts'
import { applySlice, type SliceParameters, type SliceShape, sliceParametersOf, sliceShapeOf } from '../paging.ts'
import type { Db } from '../store.ts'
import type { Tables } from '../tables.ts'
import { type Viewer, type ViewerParameters, viewerParametersOf, whereVisible } from './access.ts'

/** The stored form of an empty list of tags. */
export const NO_TAGS = '[]'

/** Converts tags to their stored form, a JSON array. */
export function storedTags(tags: readonly string[] | null | undefined): string {
  return JSON.stringify(tags ?? [])
}

/** Parses tags from their stored form. */
export function tagsOf(stored: string): string[] {
  return stored === NO_TAGS ? [] : (JSON.parse(stored) as string[])
}

type TagShape = Pick<Viewer, 'isAdministrator'>

/**
 * Selects the tags of the graphs that the viewer may read, with the number of graphs per tag. Kysely has no types for this
 * derived table, so its columns are named after those of TagCount.
 */
function selectTags(db: Db, { isAdministrator }: TagShape, viewer: ViewerParameters) {
  const tagged = db.selectFrom('graph').where((eb) => eb('graph.tags', '<>', sql.lit(NO_TAGS)))
  const visible = isAdministrator ? tagged : whereVisible(tagged, viewer)
  const each = db
    .selectFrom([
      visible.select('graph.tags as list').as('tagged'),
      sql<{ value: string }>`json_each("tagged"."list")`.as<'each'>('each')
    ])
    .select((eb) => ['each.value as tag', eb.fn.countAll<number>().as('count')])
    .groupBy('each.value')
  return db.selectFrom(each.as('tagCount')) as unknown as SelectQueryBuilder<Tables, 'graph', object>
}

const column = (field: string, eb: ExpressionBuilder<Tables, 'graph'>) => eb.ref(field as 'id')

const selectPage = preparedByShape((db, shape: SliceShape & TagShape, parameters: SliceParameters & ViewerParameters) =>
  applySlice(selectTags(db, shape, parameters).selectAll() as never, shape, parameters, column).$castTo<TagCount>()
)

const selectCount = preparedByShape((db, shape: TagShape, parameters: ViewerParameters) =>
  selectTags(db, shape, parameters).select((eb) => eb.fn.countAll<number>().as('count'))
)

/** Returns the tags of the graphs that the viewer may read, ordered and limited by the slice. Reads all tagged graphs. */
export async function listTags(db: Db, viewer: Viewer, slice: Slice): Promise<TagCount[]> {
  const { isAdministrator } = viewer
  const shape = { ...sliceShapeOf(slice), isAdministrator }
  const rows = await selectPage(db, shape, { ...viewerParametersOf(viewer), ...sliceParametersOf(slice) })
  return rows.map(({ tag, count }) => ({ tag, count: Number(count) }))
}

/** Returns the number of distinct tags on the graphs that the viewer may read. */
export async function countTags(db: Db, viewer: Viewer): Promise<number> {
  const [counted] = await selectCount(db, { isAdministrator: viewer.isAdministrator }, viewerParametersOf(viewer))
  return Number(counted?.count ?? 0)
}

/** Returns the tag's value for the field that the list is sorted by. */
export function tagSortKey(count: TagCount, field: string): SortKey {
  return count[field as keyof TagCount]
}
