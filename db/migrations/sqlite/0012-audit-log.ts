import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the log that proves the audit events. The server takes in the events that are there already. */
export const auditLog: Migration = async (db) => {
  const statements = [
    // Holds one row.
    sql`CREATE TABLE "auditLog" (
      "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
      "origin" TEXT NOT NULL,
      "epoch" INTEGER NOT NULL,
      "size" INTEGER NOT NULL,
      "firstIndex" INTEGER NOT NULL,
      "key" TEXT NOT NULL,
      "checkpoint" TEXT NOT NULL
    ) STRICT`,
    sql`INSERT INTO "auditLog" VALUES (1, '', 0, 0, 0, '', '')`,
    sql`CREATE TABLE "auditTile" (
      "level" INTEGER NOT NULL,
      "index" INTEGER NOT NULL,
      "hashes" BLOB NOT NULL,
      PRIMARY KEY ("level", "index")
    ) STRICT`,
    sql`CREATE TABLE "auditSalt" ("bundle" INTEGER PRIMARY KEY, "salts" BLOB NOT NULL) STRICT`,
    sql`CREATE TABLE "auditRun" (
      "firstIndex" INTEGER PRIMARY KEY,
      "firstId" INTEGER NOT NULL UNIQUE,
      "count" INTEGER NOT NULL
    ) STRICT`,
    sql`CREATE TABLE "auditErased" (
      "index" INTEGER NOT NULL,
      "part" TEXT NOT NULL,
      "digest" TEXT NOT NULL,
      PRIMARY KEY ("index", "part")
    ) STRICT, WITHOUT ROWID`
  ]
  for (const statement of statements) await statement.execute(db)
}
