import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import type { Tables } from './tables.ts'

/** The properties of a slice that make another query, and not only other parameters. */
export interface SliceShape {
  sorts: Sort[]
  /** Whether the slice begins after a row. */
  isContinued: boolean
  /** Part of the shape: the planner of SQLite considers it. */
  limit: number
  hasOffset: boolean
}

export interface SliceParameters {
  offset: number
  /** The sort keys of the row before the slice. */
  [after: `after${number}`]: SortKey
}

/** The most rows that `read` skips; the engine reads the rows that it skips. Later pages are for `scan`. */
const SKIPPED_AT_ONCE = 1000

export function sliceShapeOf({ sorts, limit, offset, after }: Slice): SliceShape {
  return { sorts, isContinued: after !== undefined, limit, hasOffset: offset > 0 }
}

export function sliceParametersOf({ offset, after = [] }: Slice): SliceParameters {
  const parameters: SliceParameters = { offset }
  for (const [index, key] of after.entries()) parameters[`after${index}`] = key
  return parameters
}

/** Tells whether the slice begins near the place to which an index by the key leads. */
export function isNear({ sorts, offset }: Slice, key = 'id') {
  return offset <= SKIPPED_AT_ONCE && sorts[0]?.field === key
}

type Column<T extends keyof Tables> = (field: string, eb: ExpressionBuilder<Tables, T>) => Expression<SortKey>

/** Applies the order and bounds of the slice. `column` returns the expression of a field, which must not be null. */
export function applySlice<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  shape: SliceShape,
  parameters: SliceParameters,
  column: Column<T>
) {
  let sorted = startAfter(query, shape, parameters, column)
  for (const { field, direction } of shape.sorts) sorted = sorted.orderBy((eb) => column(field, eb), direction)
  const limited = sorted.limit(sql.lit(shape.limit))
  return shape.hasOffset ? limited.offset(parameters.offset) : limited
}

/** Begins after the row before the slice, if there is one. */
export function startAfter<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  { sorts, isContinued }: SliceShape,
  parameters: SliceParameters,
  column: Column<T>
) {
  return isContinued ? query.where((eb) => isAfter(eb, sorts, parameters, column)) : query
}

/** Returns the condition of rows after these keys, for directions that may differ: `(a > 1) or (a = 1 and b < 2) or …`. */
function isAfter<T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  sorts: Sort[],
  parameters: SliceParameters,
  column: Column<T>
): Expression<SqlBool> {
  const compare = (index: number, operator: '=' | '>' | '<') =>
    eb(column(sorts[index]?.field ?? 'id', eb), operator, parameters[`after${index}`] as SortKey)
  return eb.or(
    sorts.map(({ direction }, last) =>
      eb.and([
        ...sorts.slice(0, last).map((_, index) => compare(index, '=')),
        compare(last, direction === 'asc' ? '>' : '<')
      ])
    )
  )
}
