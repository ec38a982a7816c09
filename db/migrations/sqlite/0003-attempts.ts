import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Attempts to log in, which processes that share the store count together. */
export const attempts: Migration = async (db) => {
  await sql`CREATE TABLE "attempt" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "expiresAt" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`.execute(db)
  await sql`CREATE INDEX "attemptByTime" ON "attempt" ("expiresAt")`.execute(db)
}
