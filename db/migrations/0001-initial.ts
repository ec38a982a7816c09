import { sql } from 'kysely'
import type { Migration } from './index.ts'

/** Users, graphs, contents, and an audit trail that only grows. */
export const initial: Migration = async (db) => {
  const statements = [
    sql`CREATE TABLE "user" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "login" TEXT NOT NULL UNIQUE,
      "passwordHash" TEXT NOT NULL,
      "role" TEXT NOT NULL CHECK ("role" IN ('ADMIN', 'AUDITOR', 'USER')),
      "enabled" INTEGER NOT NULL CHECK ("enabled" IN (0, 1)),
      "tokenVersion" INTEGER NOT NULL,
      "createdAt" TEXT NOT NULL,
      "updatedAt" TEXT NOT NULL
    ) STRICT`,

    sql`CREATE TABLE "content" (
      "hash" TEXT NOT NULL UNIQUE,
      "encoding" TEXT NOT NULL CHECK ("encoding" IN ('identity', 'zstd')),
      "body" BLOB NOT NULL
    ) STRICT`,

    sql`CREATE TABLE "graph" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "name" TEXT NOT NULL,
      "type" TEXT,
      "description" TEXT,
      "shared" INTEGER NOT NULL CHECK ("shared" IN (0, 1)),
      "owner" TEXT NOT NULL REFERENCES "user" ("login"),
      "version" INTEGER NOT NULL CHECK ("version" >= 1),
      "nodeCount" INTEGER NOT NULL,
      "edgeCount" INTEGER NOT NULL,
      "contentHash" TEXT REFERENCES "content" ("hash"),
      "searchText" TEXT NOT NULL,
      "createdAt" TEXT NOT NULL,
      "updatedAt" TEXT NOT NULL
    ) STRICT`,
    sql`CREATE INDEX "graphByOwner" ON "graph" ("owner", "id")`,
    sql`CREATE INDEX "graphShared" ON "graph" ("id") WHERE "shared" = 1`,
    sql`CREATE INDEX "graphByContent" ON "graph" ("contentHash")`,

    sql`CREATE TABLE "auditEvent" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT CHECK ("id" > 0),
      "timestamp" TEXT NOT NULL,
      "principal" TEXT NOT NULL,
      "type" TEXT NOT NULL,
      "outcome" TEXT NOT NULL CHECK ("outcome" IN ('SUCCESS', 'FAILURE', 'DENIED')),
      "targetType" TEXT,
      "targetId" INTEGER,
      "targetName" TEXT,
      "request" TEXT,
      "data" TEXT NOT NULL
    ) STRICT`,
    sql`CREATE INDEX "auditEventByTime" ON "auditEvent" ("timestamp", "id")`,
    sql`CREATE INDEX "auditEventByPrincipal" ON "auditEvent" ("principal", "id")`,
    sql`CREATE INDEX "auditEventByTarget" ON "auditEvent" ("targetType", "targetId", "id")`,
    sql`CREATE TRIGGER "auditEventNeverEdited" BEFORE UPDATE ON "auditEvent"
      BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
    sql`CREATE TRIGGER "auditEventNeverDeleted" BEFORE DELETE ON "auditEvent"
      BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`,
    // INSERT OR REPLACE deletes without asking the trigger above. An id that the table has given out is
    // therefore refused when it comes with the row; SQLite shows -1 here where it will choose the id itself.
    sql`CREATE TRIGGER "auditEventNeverReplaced" BEFORE INSERT ON "auditEvent"
      WHEN NEW."id" <> -1 AND NEW."id" <= (SELECT max("seq") FROM (
        SELECT "seq" FROM sqlite_sequence WHERE "name" = 'auditEvent'
        UNION ALL SELECT max("id") FROM "auditEvent"))
      BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END`
  ]
  for (const statement of statements) await statement.execute(db)
}
