import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds identities of users at an identity provider, and the sessions that began with one. */
export const identities: Migration = async (db) => {
  const statements = [
    sql`CREATE TABLE "userIdentity" (
      "userId" INTEGER NOT NULL PRIMARY KEY REFERENCES "user" ("id") ON DELETE CASCADE,
      "issuer" TEXT NOT NULL,
      "subject" TEXT NOT NULL,
      "linkedAt" TEXT NOT NULL,
      "linkedBy" TEXT NOT NULL,
      UNIQUE ("issuer", "subject")
    ) STRICT`,
    sql`ALTER TABLE "session" ADD COLUMN "userId" INTEGER REFERENCES "user" ("id") ON DELETE CASCADE`,
    sql`ALTER TABLE "session" ADD COLUMN "sid" TEXT`,
    sql`CREATE INDEX "sessionByUser" ON "session" ("userId") WHERE "userId" IS NOT NULL`,
    sql`CREATE INDEX "sessionBySid" ON "session" ("sid") WHERE "sid" IS NOT NULL`
  ]
  for (const statement of statements) await statement.execute(db)
}
