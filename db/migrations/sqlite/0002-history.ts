import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Versions that were, the trash, and which event made which version. */
export const history: Migration = async (db) => {
  const statements = [
    sql`ALTER TABLE "auditEvent" ADD COLUMN "targetVersion" INTEGER`,

    sql`ALTER TABLE "graph" ADD COLUMN "principal" TEXT NOT NULL DEFAULT 'system'`,
    sql`ALTER TABLE "graph" ADD COLUMN "message" TEXT`,
    sql`ALTER TABLE "graph" ADD COLUMN "auditEventId" INTEGER`,
    sql`ALTER TABLE "graph" ADD COLUMN "restoredFrom" INTEGER`,
    // The author of the current version is known by its event; earlier versions do not exist.
    sql`UPDATE "graph" SET "auditEventId" = (
      SELECT max("id") FROM "auditEvent" WHERE "targetType" = 'GRAPH' AND "targetId" = "graph"."id"
        AND "type" IN ('GRAPH_CREATED', 'GRAPH_UPDATED', 'GRAPH_SHARED', 'GRAPH_UNSHARED'))`,
    sql`UPDATE "graph" SET "principal" = (SELECT "principal" FROM "auditEvent" WHERE "id" = "auditEventId")
      WHERE "auditEventId" IS NOT NULL`,

    sql`CREATE TABLE "graphVersion" (
      "graphId" INTEGER NOT NULL,
      "version" INTEGER NOT NULL,
      "name" TEXT NOT NULL,
      "type" TEXT,
      "description" TEXT,
      "shared" INTEGER NOT NULL CHECK ("shared" IN (0, 1)),
      "nodeCount" INTEGER NOT NULL,
      "edgeCount" INTEGER NOT NULL,
      "contentId" INTEGER REFERENCES "content" ("id"),
      "updatedAt" TEXT NOT NULL,
      "principal" TEXT NOT NULL,
      "message" TEXT,
      "auditEventId" INTEGER,
      "restoredFrom" INTEGER,
      PRIMARY KEY ("graphId", "version")
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE INDEX "graphVersionByContent" ON "graphVersion" ("contentId") WHERE "contentId" IS NOT NULL`,

    sql`CREATE TABLE "trash" (
      "id" INTEGER PRIMARY KEY,
      "owner" TEXT NOT NULL REFERENCES "user" ("login"),
      "version" INTEGER NOT NULL,
      "searchText" TEXT NOT NULL,
      "createdAt" TEXT NOT NULL,
      "trashedAt" TEXT NOT NULL,
      "trashedBy" TEXT NOT NULL
    ) STRICT`,
    sql`CREATE INDEX "trashByOwner" ON "trash" ("owner", "id")`,
    sql`CREATE INDEX "trashByTime" ON "trash" ("trashedAt")`,

    sql`CREATE TABLE "purgedGraph" ("id" INTEGER PRIMARY KEY) STRICT`
  ]
  for (const statement of statements) await statement.execute(db)
}
