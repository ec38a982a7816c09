import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { fillBytes } from '../usage.ts'

/** Adds the usage of each owner, including the trash. Triggers keep it. */
export const usage: Migration = async (db) => {
  for (const table of ['graph', 'trash'] as const) {
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN "bytes" INTEGER NOT NULL DEFAULT 0`.execute(db)
    await fillBytes(table).execute(db)
  }
  await sql`CREATE TABLE "usage" (
    "owner" TEXT NOT NULL PRIMARY KEY,
    "graphs" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`.execute(db)
  await sql`INSERT INTO "usage" SELECT "owner", count(*), sum("bytes") FROM (
    SELECT "owner", "bytes" FROM "graph" UNION ALL SELECT "owner", "bytes" FROM "trash") GROUP BY "owner"`.execute(db)
  const add = sql.raw(`INSERT INTO "usage" VALUES (NEW."owner", 1, NEW."bytes")
    ON CONFLICT DO UPDATE SET "graphs" = "graphs" + 1, "bytes" = "bytes" + NEW."bytes";`)
  const subtract = sql.raw(`UPDATE "usage" SET "graphs" = "graphs" - 1, "bytes" = "bytes" - OLD."bytes"
    WHERE "owner" = OLD."owner";`)
  for (const table of ['graph', 'trash']) {
    const on = sql.table(table)
    await sql`CREATE TRIGGER ${sql.table(`${table}Used`)} AFTER INSERT ON ${on} BEGIN ${add} END`.execute(db)
    await sql`CREATE TRIGGER ${sql.table(`${table}Unused`)} AFTER DELETE ON ${on} BEGIN ${subtract} END`.execute(db)
    await sql`CREATE TRIGGER ${sql.table(`${table}UsedElse`)} AFTER UPDATE OF "owner", "bytes" ON ${on}
      WHEN OLD."owner" <> NEW."owner" OR OLD."bytes" <> NEW."bytes" BEGIN ${subtract} ${add} END`.execute(db)
  }
}
