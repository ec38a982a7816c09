import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Marks users whose password another user has set. Existing passwords stay unmarked, since their origin is unknown. */
export const givenPasswords: Migration = async (db) => {
  await sql`ALTER TABLE "user" ADD COLUMN "mustChangePassword" BOOLEAN NOT NULL DEFAULT false`.execute(db)
}
