import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import type { Tables } from './tables.ts'

/** The properties of a slice that change the SQL, not just the parameters. */
export interface SliceShape {
  sorts: Sort[]
  /** Whether the slice starts after a given row. */
  isContinued: boolean
  /** The limit is part of the shape because SQLite's planner takes it into account. */
  limit: number
  hasOffset: boolean
}

export interface SliceParameters {
  offset: number
  /** The sort keys of the row that precedes the slice. */
  [after: `after${number}`]: SortKey
}

/** The maximum offset for `read`. The engine reads the rows that it skips, so pages with a higher offset use `scan`. */
const SKIPPED_AT_ONCE = 1000

export function sliceShapeOf({ sorts, limit, offset, after }: Slice): SliceShape {
  return { sorts, isContinued: after !== undefined, limit, hasOffset: offset > 0 }
}

export function sliceParametersOf({ offset, after = [] }: Slice): SliceParameters {
  const parameters: SliceParameters = { offset }
  for (const [index, key] of after.entries()) parameters[`after${index}`] = key
  return parameters
}

/** Returns whether an index on the key can quickly find the start of the slice. */
export function isNear({ sorts, offset }: Slice, key = 'id') {
  return offset <= SKIPPED_AT_ONCE && sorts[0]?.field === key
}

type Column<T extends keyof Tables> = (field: string, eb: ExpressionBuilder<Tables, T>) => Expression<SortKey>

/** Applies the slice's order and bounds. `column` returns the expression for a field, which must not be null. */
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

/** Starts the query after the row that precedes the slice, if any. */
export function startAfter<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  { sorts, isContinued }: SliceShape,
  parameters: SliceParameters,
  column: Column<T>
) {
  return isContinued ? query.where((eb) => isAfter(eb, sorts, parameters, column)) : query
}

/**
 * Returns the condition for rows after these keys: `(a, b) > (1, 2)`, or `a >= 1 and ((a > 1) or (a = 1 and b < 2) or …)` if
 * directions differ. In both cases, an index on the fields leads directly to the first row.
 */
function isAfter<T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  sorts: Sort[],
  parameters: SliceParameters,
  column: Column<T>
): Expression<SqlBool> {
  const operators = sorts.map(({ direction }) => (direction === 'asc' ? '>' : '<'))
  const [operator = '>'] = operators
  if (operators.every((other) => other === operator)) {
    const columns = sorts.map(({ field }) => column(field, eb))
    const keys = sorts.map((_, index) => parameters[`after${index}`])
    return sql`(${sql.join(columns)}) ${sql.raw(operator)} (${sql.join(keys)})`
  }
  const compare = (index: number, operator: '=' | '>' | '<' | '>=' | '<=') =>
    eb(column(sorts[index]?.field ?? 'id', eb), operator, parameters[`after${index}`] as SortKey)
  const after = operators.map((operator, last) =>
    eb.and([...sorts.slice(0, last).map((_, index) => compare(index, '=')), compare(last, operator)])
  )
  return eb.and([compare(0, `${operator}=`), eb.or(after)])
}
