import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the words by which graphs are found. The server adds those of the graphs that are there already. */
export const search: Migration = async (db) => {
  const statements = [
    sql`CREATE TABLE "graphWords" ("rowid" BIGINT PRIMARY KEY, "words" TSVECTOR NOT NULL)`,
    sql`CREATE INDEX "graphWordsByWord" ON "graphWords" USING GIN ("words")`,
    sql`CREATE TABLE "graphWordPart" ("rowid" BIGINT PRIMARY KEY, "words" TSVECTOR NOT NULL)`,
    sql`CREATE INDEX "graphWordPartByWord" ON "graphWordPart" USING GIN ("words")`,
    // Holds one row.
    sql`CREATE TABLE "indexing" (
      "id" BIGINT PRIMARY KEY CHECK ("id" = 1),
      "after" BIGINT NOT NULL,
      "isDone" BOOLEAN NOT NULL
    )`,
    sql`INSERT INTO "indexing" VALUES
      (1, 0, NOT EXISTS (SELECT 1 FROM "graph" UNION ALL SELECT 1 FROM "trash"))`
  ]
  for (const statement of statements) await statement.execute(db)
}
