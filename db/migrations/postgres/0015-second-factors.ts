import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds circumstances of sessions, second factors of users, and their recovery codes. */
export const secondFactors: Migration = async (db) => {
  const text = sql.raw('TEXT COLLATE "C"')
  const statements = [
    sql`ALTER TABLE "session"
      ADD COLUMN "handle" ${text},
      ADD COLUMN "browser" BOOLEAN NOT NULL DEFAULT TRUE,
      ADD COLUMN "method" ${text},
      ADD COLUMN "tokenVersion" BIGINT,
      ADD COLUMN "startedAt" BIGINT,
      ADD COLUMN "expiresAt" BIGINT,
      ADD COLUMN "address" ${text},
      ADD COLUMN "userAgent" ${text},
      ADD COLUMN "familiar" BOOLEAN`,
    // Until now, sessions had a user only if an identity provider had signed them in.
    sql`UPDATE "session" SET "method" = 'oidc' WHERE "userId" IS NOT NULL`,
    sql`CREATE UNIQUE INDEX "sessionByHandle" ON "session" ("handle") WHERE "handle" IS NOT NULL`,
    sql`CREATE INDEX "sessionByTime" ON "session" ("expiresAt") WHERE "expiresAt" IS NOT NULL`,
    sql`DROP INDEX "sessionByUse"`,
    sql`CREATE INDEX "sessionByUse" ON "session" ("browser", "remembered", "lastUsedAt")`,
    sql`ALTER TABLE "user" ADD COLUMN "secondFactorSince" ${text}`,
    sql`CREATE TABLE "secondFactor" (
      "userId" BIGINT NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
      "secret" ${text} NOT NULL,
      "lastStep" BIGINT NOT NULL
    )`,
    sql`CREATE TABLE "recoveryCode" (
      "userId" BIGINT NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
      "hash" ${text} NOT NULL,
      PRIMARY KEY ("userId", "hash")
    )`
  ]
  for (const statement of statements) await statement.execute(db)
}
