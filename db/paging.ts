import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import { MAX_ID } from './store.ts'
import type { Tables } from './tables.ts'

/** What of a slice makes another query, and not only another parameter. */
export interface SliceShape {
  sorts: Sort[]
  /** Whether it goes on after a row. */
  goesOn: boolean
  /** As a parameter it would make SQLite plan the query anew each time. */
  limit: number
  isOffset: boolean
}

export interface SliceParameters {
  offset: number
  /** The sort keys of the row to go on after. */
  [after: `after${number}`]: SortKey
}

/** Pages beyond so many rows are for `scan`: to skip rows they have to be looked at. */
const SKIPPED_AT_ONCE = 1000

export function shapeOf({ sorts, limit, offset, after }: Slice): SliceShape {
  return { sorts, goesOn: after !== undefined, limit, isOffset: offset > 0 }
}

export function parametersOf({ offset, after = [] }: Slice): SliceParameters {
  const parameters: SliceParameters = { offset }
  for (const [index, key] of after.entries()) parameters[`after${index}`] = key
  return parameters
}

/** Whether the slice begins near to where an index by id leads. */
export function isNear({ sorts, offset }: Slice) {
  return offset <= SKIPPED_AT_ONCE && sorts[0]?.field === 'id'
}

type Column<T extends keyof Tables> = (field: string, eb: ExpressionBuilder<Tables, T>) => Expression<SortKey>

/**
 * Leaves out rows whose key is larger than any that is given out, which somebody has written by hand: it is not read exactly,
 * so that a walk would come by again and again. `check` tells of them.
 */
export function withSafeKeys<T extends keyof Tables, O>(query: SelectQueryBuilder<Tables, T, O>, key: string) {
  return query.where(sql.ref<number>(key), '<=', sql.lit(MAX_ID))
}

/** Adds order and bounds. `column` gives the expression for a field, never null so that it compares. */
export function applySlice<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  shape: SliceShape,
  parameters: SliceParameters,
  column: Column<T>
) {
  let sorted = startAfter(query, shape, parameters, column)
  for (const { field, direction } of shape.sorts) sorted = sorted.orderBy((eb) => column(field, eb), direction)
  const limited = sorted.limit(sql.lit(shape.limit))
  return shape.isOffset ? limited.offset(parameters.offset) : limited
}

/** Adds where to go on. */
export function startAfter<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  { sorts, goesOn }: SliceShape,
  parameters: SliceParameters,
  column: Column<T>
) {
  return goesOn ? query.where((eb) => isAfter(eb, sorts, parameters, column)) : query
}

/** `(a > 1) or (a = 1 and b < 2) or …`: what comes after these keys, for directions that may differ. */
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
