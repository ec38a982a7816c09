import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds saved views of graphs. A graph in the trash keeps them: see db/saved-views.ts. */
export const savedViews: Migration = async (db) => {
  await sql`CREATE TABLE "savedView" (
    "graphId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "savedAt" TEXT NOT NULL,
    "savedBy" TEXT NOT NULL,
    PRIMARY KEY ("graphId", "name")
  ) STRICT, WITHOUT ROWID`.execute(db)
}
