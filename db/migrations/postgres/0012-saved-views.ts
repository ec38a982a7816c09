import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds saved views of graphs. A graph in the trash keeps them: see db/saved-views.ts. */
export const savedViews: Migration = async (db) => {
  const text = sql.raw('TEXT COLLATE "C"')
  await sql`CREATE TABLE "savedView" (
    "graphId" BIGINT NOT NULL,
    "name" ${text} NOT NULL,
    "query" ${text} NOT NULL,
    "savedAt" ${text} NOT NULL,
    "savedBy" ${text} NOT NULL,
    PRIMARY KEY ("graphId", "name")
  )`.execute(db)
}
