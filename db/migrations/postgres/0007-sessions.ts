import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Sessions of browsers, which end after a time without use. */
export const sessions: Migration = async (db) => {
  await sql`CREATE TABLE "session" (
    "id" TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    "remembered" BOOLEAN NOT NULL,
    "lastUsedAt" BIGINT NOT NULL
  )`.execute(db)
  await sql`CREATE INDEX "sessionByUse" ON "session" ("remembered", "lastUsedAt")`.execute(db)
}
