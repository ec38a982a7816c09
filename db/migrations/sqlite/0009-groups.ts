import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds groups of users, grants of graphs to people and groups, and tags. */
export const groups: Migration = async (db) => {
  const key = sql.raw(`"granteeType" = NEW."granteeType" AND "granteeId" = NEW."granteeId"`)
  const statements = [
    sql`CREATE TABLE "group" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "name" TEXT NOT NULL UNIQUE,
      "description" TEXT,
      "createdAt" TEXT NOT NULL,
      "updatedAt" TEXT NOT NULL
    ) STRICT`,
    sql`CREATE TABLE "groupMember" (
      "groupId" INTEGER NOT NULL REFERENCES "group" ("id") ON DELETE CASCADE,
      "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
      PRIMARY KEY ("groupId", "userId")
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE INDEX "groupMemberByUser" ON "groupMember" ("userId", "groupId")`,

    // A grant outlives its grantee until it is removed, in pieces: see db/grants.ts. Ids of users and groups are never reused.
    sql`CREATE TABLE "graphGrant" (
      "graphId" INTEGER NOT NULL,
      "granteeType" TEXT NOT NULL CHECK ("granteeType" IN ('USER', 'GROUP')),
      "granteeId" INTEGER NOT NULL,
      "access" TEXT NOT NULL CHECK ("access" IN ('READ', 'WRITE')),
      "listed" INTEGER NOT NULL CHECK ("listed" IN (0, 1)),
      "createdAt" TEXT NOT NULL,
      "createdBy" TEXT NOT NULL,
      PRIMARY KEY ("graphId", "granteeType", "granteeId")
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE INDEX "graphGrantByGrantee" ON "graphGrant" ("granteeType", "granteeId", "listed", "graphId")`,
    sql`CREATE TABLE "grantCount" (
      "granteeType" TEXT NOT NULL,
      "granteeId" INTEGER NOT NULL,
      "total" INTEGER NOT NULL,
      "listed" INTEGER NOT NULL,
      "changes" INTEGER NOT NULL,
      PRIMARY KEY ("granteeType", "granteeId")
    ) STRICT, WITHOUT ROWID`,
    sql`CREATE TRIGGER "graphGrantAdded" AFTER INSERT ON "graphGrant" BEGIN
      INSERT INTO "grantCount" VALUES (NEW."granteeType", NEW."granteeId", 1, NEW."listed", 1)
        ON CONFLICT DO UPDATE SET "total" = "total" + 1, "listed" = "listed" + NEW."listed", "changes" = "changes" + 1;
    END`,
    sql`CREATE TRIGGER "graphGrantRemoved" AFTER DELETE ON "graphGrant" BEGIN
      UPDATE "grantCount" SET "total" = "total" - 1, "listed" = "listed" - OLD."listed", "changes" = "changes" + 1
        WHERE "granteeType" = OLD."granteeType" AND "granteeId" = OLD."granteeId";
    END`,
    sql`CREATE TRIGGER "graphGrantChanged" AFTER UPDATE OF "listed" ON "graphGrant" BEGIN
      UPDATE "grantCount" SET "listed" = "listed" - OLD."listed" + NEW."listed", "changes" = "changes" + 1 WHERE ${key};
    END`,

    sql`ALTER TABLE "graph" ADD COLUMN "tags" TEXT NOT NULL DEFAULT '[]'`,
    sql`ALTER TABLE "graphVersion" ADD COLUMN "tags" TEXT NOT NULL DEFAULT '[]'`,
    sql`CREATE INDEX "graphTagged" ON "graph" ("id") WHERE "tags" <> '[]'`
  ]
  for (const statement of statements) await statement.execute(db)
}
