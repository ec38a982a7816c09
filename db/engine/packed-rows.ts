import { type Compilable, PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../store.ts'
import type { Tables } from '../tables.ts'

/**
 * Wraps a query so that it returns all rows as one JSON string: an array that contains, for each row, an array of these
 * columns. Passing a string between threads is much faster than passing rows.
 */
export function packedRows<Table extends keyof Tables, Row extends object>(
  db: Db,
  rows: SelectQueryBuilder<Tables, Table, Row>,
  columns: readonly (keyof Row & string)[]
): Compilable<{ packed: string }> {
  const values = sql.join(columns.map((column) => sql.ref(column)))
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const packed = isPostgres
    ? sql<string>`coalesce(json_agg(json_build_array(${values})), '[]')::text`
    : sql<string>`json_group_array(json_array(${values}))`
  return db.selectFrom(rows.as('row')).select(packed.as('packed'))
}
