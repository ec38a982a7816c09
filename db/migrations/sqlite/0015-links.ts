import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds links to graphs, for people without an account. A graph in the trash keeps them: see db/links.ts. */
export const links: Migration = async (db) => {
  const statements = [
    sql`CREATE TABLE "link" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "graphId" INTEGER NOT NULL,
      "publicId" TEXT NOT NULL UNIQUE,
      "salt" TEXT NOT NULL,
      "name" TEXT,
      "version" INTEGER,
      "expiresAt" TEXT,
      "passwordHash" TEXT,
      "origins" TEXT NOT NULL,
      "downloads" INTEGER NOT NULL,
      "tokenVersion" INTEGER NOT NULL,
      "createdAt" TEXT NOT NULL,
      "createdBy" TEXT NOT NULL,
      "openCount" INTEGER NOT NULL DEFAULT 0,
      "lastOpenedAt" TEXT,
      "minuteStart" INTEGER NOT NULL DEFAULT 0,
      "minuteCount" INTEGER NOT NULL DEFAULT 0
    ) STRICT`,
    sql`CREATE INDEX "linkByGraph" ON "link" ("graphId", "id")`,
    // For the openings of a minute that are still to be told by one event.
    sql`CREATE INDEX "linkByMinute" ON "link" ("minuteStart") WHERE "minuteCount" > 10`
  ]
  for (const statement of statements) await statement.execute(db)
}
