import { sql } from 'kysely'

/**
 * Fills the column `bytes` of `graph` or `trash`: the size of each graph's history as JSON. Consecutive versions with the same
 * content count once. The check of a database has a query of its own, since a migration never changes.
 */
export function fillBytes(table: 'graph' | 'trash') {
  return sql`WITH "state" AS (
      SELECT "graphId" AS "id", "version", "contentId" FROM "graphVersion"
      UNION ALL SELECT "id", "version", "contentId" FROM "graph"
    ), "run" AS (
      SELECT "id", "contentId", lead("contentId") OVER (PARTITION BY "id" ORDER BY "version") AS "next" FROM "state"
    ), "total" AS (
      SELECT "run"."id" AS "id", sum("size") AS "bytes" FROM "run" JOIN "content" ON "content"."id" = "run"."contentId"
      WHERE "next" IS NULL OR "next" <> "contentId" GROUP BY "run"."id"
    )
    UPDATE ${sql.table(table)} SET "bytes" = "total"."bytes" FROM "total" WHERE "total"."id" = ${sql.table(table)}."id"`
}
