import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds tokens of programs, users without a password, and keys of graphs. */
export const programs: Migration = async (db) => {
  const statements = [
    sql`ALTER TABLE "user" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'PERSON' CHECK ("kind" IN ('PERSON', 'SERVICE'))`,
    sql`CREATE TABLE "apiToken" (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
      "name" TEXT NOT NULL,
      "hash" TEXT NOT NULL UNIQUE,
      "scopes" TEXT NOT NULL,
      "createdAt" TEXT NOT NULL,
      "createdBy" TEXT NOT NULL,
      "expiresAt" TEXT NOT NULL,
      "lastUsedAt" TEXT
    ) STRICT`,
    sql`CREATE INDEX "apiTokenByUser" ON "apiToken" ("userId", "id")`,

    // A graph in the trash keeps its key: db/keys.ts sees to it that no other graph of the owner takes it.
    sql`ALTER TABLE "graph" ADD COLUMN "key" TEXT`,
    sql`ALTER TABLE "trash" ADD COLUMN "key" TEXT`,
    sql`CREATE UNIQUE INDEX "graphByKey" ON "graph" ("owner", "key") WHERE "key" IS NOT NULL`,
    sql`CREATE UNIQUE INDEX "trashByKey" ON "trash" ("owner", "key") WHERE "key" IS NOT NULL`
  ]
  for (const statement of statements) await statement.execute(db)
}
