import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds circumstances of sessions, second factors of users, and their recovery codes. */
export const secondFactors: Migration = async (db) => {
  const statements = [
    sql`ALTER TABLE "session" ADD COLUMN "handle" TEXT`,
    sql`ALTER TABLE "session" ADD COLUMN "browser" INTEGER NOT NULL DEFAULT 1 CHECK ("browser" IN (0, 1))`,
    sql`ALTER TABLE "session" ADD COLUMN "method" TEXT`,
    sql`ALTER TABLE "session" ADD COLUMN "tokenVersion" INTEGER`,
    sql`ALTER TABLE "session" ADD COLUMN "startedAt" INTEGER`,
    sql`ALTER TABLE "session" ADD COLUMN "expiresAt" INTEGER`,
    sql`ALTER TABLE "session" ADD COLUMN "address" TEXT`,
    sql`ALTER TABLE "session" ADD COLUMN "userAgent" TEXT`,
    sql`ALTER TABLE "session" ADD COLUMN "familiar" INTEGER CHECK ("familiar" IN (0, 1))`,
    // Until now, sessions had a user only if an identity provider had signed them in.
    sql`UPDATE "session" SET "method" = 'oidc' WHERE "userId" IS NOT NULL`,
    sql`CREATE UNIQUE INDEX "sessionByHandle" ON "session" ("handle") WHERE "handle" IS NOT NULL`,
    sql`CREATE INDEX "sessionByTime" ON "session" ("expiresAt") WHERE "expiresAt" IS NOT NULL`,
    sql`DROP INDEX "sessionByUse"`,
    sql`CREATE INDEX "sessionByUse" ON "session" ("browser", "remembered", "lastUsedAt")`,
    sql`ALTER TABLE "user" ADD COLUMN "secondFactorSince" TEXT`,
    sql`CREATE TABLE "secondFactor" (
      "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
      "secret" TEXT NOT NULL,
      "lastStep" INTEGER NOT NULL
    ) STRICT`,
    sql`CREATE TABLE "recoveryCode" (
      "userId" INTEGER NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
      "hash" TEXT NOT NULL,
      PRIMARY KEY ("userId", "hash")
    ) STRICT`
  ]
  for (const statement of statements) await statement.execute(db)
}
