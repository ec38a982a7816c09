import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Slice, Sort, SortKey } from '../schemas/parameters.ts'
import type { Tables } from './tables.ts'

/** Adds order and bounds. `column` gives the expression for a field, never null so that it compares. */
export function sliced<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  { sorts, limit, offset, after }: Slice,
  column: (field: string, eb: ExpressionBuilder<Tables, T>) => Expression<SortKey>
) {
  let sorted = query.limit(limit)
  if (offset > 0) sorted = sorted.offset(offset)
  for (const { field, direction } of sorts) sorted = sorted.orderBy((eb) => column(field, eb), direction)
  if (after === undefined) return sorted
  return sorted.where((eb) => isAfter(eb, sorts, after, column))
}

/** `(a > 1) or (a = 1 and b < 2) or …`: what comes after these keys, for directions that may differ. */
function isAfter<T extends keyof Tables>(
  eb: ExpressionBuilder<Tables, T>,
  sorts: Sort[],
  keys: SortKey[],
  column: (field: string, eb: ExpressionBuilder<Tables, T>) => Expression<SortKey>
): Expression<SqlBool> {
  const compare = (index: number, operator: '=' | '>' | '<') =>
    eb(column(sorts[index]?.field ?? 'id', eb), operator, keys[index] ?? 0)
  return eb.or(
    sorts.map(({ direction }, last) =>
      eb.and([
        ...sorts.slice(0, last).map((_, index) => compare(index, '=')),
        compare(last, direction === 'asc' ? '>' : '<')
      ])
    )
  )
}
