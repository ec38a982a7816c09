import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Sessions of browsers, which end after a time without use. */
export const sessions: Migration = async (db) => {
  await sql`CREATE TABLE "session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "remembered" INTEGER NOT NULL CHECK ("remembered" IN (0, 1)),
    "lastUsedAt" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX "sessionByUse" ON "session" ("remembered", "lastUsedAt")`.execute(db)
}
