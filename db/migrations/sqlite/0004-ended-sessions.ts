import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Sessions that have been ended before their time, until it comes. */
export const endedSessions: Migration = async (db) => {
  await sql`CREATE TABLE "endedSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX "endedSessionByTime" ON "endedSession" ("expiresAt")`.execute(db)
}
