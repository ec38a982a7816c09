import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Whose password somebody else has given. Of those that there are, nobody knows: they stay. */
export const givenPasswords: Migration = async (db) => {
  await sql`ALTER TABLE "user" ADD COLUMN "mustChangePassword" INTEGER NOT NULL DEFAULT 0
    CHECK ("mustChangePassword" IN (0, 1))`.execute(db)
}
