import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds identities of users at an identity provider, and the sessions that began with one. */
export const identities: Migration = async (db) => {
  const text = sql.raw('TEXT COLLATE "C"')
  const statements = [
    sql`CREATE TABLE "userIdentity" (
      "userId" BIGINT NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
      "issuer" ${text} NOT NULL,
      "subject" ${text} NOT NULL,
      "linkedAt" ${text} NOT NULL,
      "linkedBy" ${text} NOT NULL,
      UNIQUE ("issuer", "subject")
    )`,
    sql`ALTER TABLE "session" ADD COLUMN "userId" BIGINT REFERENCES "user" ("id") ON DELETE CASCADE`,
    sql`ALTER TABLE "session" ADD COLUMN "sid" ${text}`,
    sql`CREATE INDEX "sessionByUser" ON "session" ("userId") WHERE "userId" IS NOT NULL`,
    sql`CREATE INDEX "sessionBySid" ON "session" ("sid") WHERE "sid" IS NOT NULL`
  ]
  for (const statement of statements) await statement.execute(db)
}
