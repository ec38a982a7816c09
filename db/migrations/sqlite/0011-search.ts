import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the words by which graphs are found. The server adds those of the graphs that are there already. */
export const search: Migration = async (db) => {
  // Only which rows have a word: neither texts nor places. The tokenizer takes words as they are, see graph/words.ts.
  const options = sql.raw(`"words", content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'`)
  const statements = [
    sql`CREATE VIRTUAL TABLE "graphWords" USING fts5(${options})`,
    sql`CREATE VIRTUAL TABLE "graphWordPart" USING fts5(${options})`,
    // Holds one row.
    sql`CREATE TABLE "indexing" (
      "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
      "after" INTEGER NOT NULL,
      "isDone" INTEGER NOT NULL CHECK ("isDone" IN (0, 1))
    ) STRICT`,
    sql`INSERT INTO "indexing" VALUES
      (1, 0, NOT EXISTS (SELECT 1 FROM "graph" UNION ALL SELECT 1 FROM "trash"))`
  ]
  for (const statement of statements) await statement.execute(db)
}
