import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

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
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "hash" TEXT NOT NULL,
      "json" TEXT,
      "packed" BLOB CHECK (("packed" IS NULL) <> ("json" IS NULL)),
      "size" INTEGER NOT NULL
    ) STRICT`,

    // Large ones are stored once. Hashes come in no order: for small ones the index would cost more than it saves.
    sql`CREATE UNIQUE INDEX "contentByHash" ON "content" ("hash") WHERE "packed" IS NOT NULL`,

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
      "contentId" INTEGER REFERENCES "content" ("id"),
      "searchText" TEXT NOT NULL,
      "createdAt" TEXT NOT NULL,
      "updatedAt" TEXT NOT NULL
    ) STRICT`,
    sql`CREATE INDEX "graphByOwner" ON "graph" ("owner", "shared", "id")`,
    sql`CREATE INDEX "graphShared" ON "graph" ("id") WHERE "shared" = true`,
    sql`CREATE INDEX "graphByContent" ON "graph" ("contentId") WHERE "contentId" IS NOT NULL`,
    // Counting a million rows would take milliseconds, at every page of a list.
    sql`CREATE TABLE "graphCount" (
      "owner" TEXT NOT NULL,
      "shared" INTEGER NOT NULL,
      "count" INTEGER NOT NULL,
      PRIMARY KEY ("owner", "shared")
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE TRIGGER "graphCreated" AFTER INSERT ON "graph" BEGIN
      INSERT INTO "graphCount" VALUES ('', NEW."shared", 1), (NEW."owner", NEW."shared", 1)
        ON CONFLICT DO UPDATE SET "count" = "count" + 1;
    END`,
    sql`CREATE TRIGGER "graphDeleted" AFTER DELETE ON "graph" BEGIN
      UPDATE "graphCount" SET "count" = "count" - 1
        WHERE "owner" IN ('', OLD."owner") AND "shared" = OLD."shared";
    END`,
    sql`CREATE TRIGGER "graphMoved" AFTER UPDATE OF "owner", "shared" ON "graph"
      WHEN OLD."owner" <> NEW."owner" OR OLD."shared" <> NEW."shared" BEGIN
      UPDATE "graphCount" SET "count" = "count" - 1
        WHERE "owner" IN ('', OLD."owner") AND "shared" = OLD."shared";
      INSERT INTO "graphCount" VALUES ('', NEW."shared", 1), (NEW."owner", NEW."shared", 1)
        ON CONFLICT DO UPDATE SET "count" = "count" + 1;
    END`,

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
    // The events of a period are counted by its days. Ids need not be in the order of times, since clocks may go back.
    sql`CREATE TABLE "auditDay" (
      "day" TEXT NOT NULL PRIMARY KEY,
      "count" INTEGER NOT NULL,
      "firstId" INTEGER NOT NULL,
      "lastId" INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE TRIGGER "auditEventRecorded" AFTER INSERT ON "auditEvent" BEGIN
      INSERT INTO "auditDay" VALUES (substr(NEW."timestamp", 1, 10), 1, NEW."id", NEW."id")
        ON CONFLICT DO UPDATE SET "count" = "count" + 1, "lastId" = max("lastId", NEW."id");
    END`,
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
