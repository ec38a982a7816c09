import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds to links whether strangers get a picture of their graph. */
export const linkPreviews: Migration = async (db) => {
  await sql`ALTER TABLE "link" ADD COLUMN "preview" BOOLEAN NOT NULL DEFAULT FALSE`.execute(db)
}
