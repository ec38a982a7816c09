import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds to links whether strangers get a picture of their graph. */
export const linkPreviews: Migration = async (db) => {
  await sql`ALTER TABLE "link" ADD COLUMN "preview" INTEGER NOT NULL DEFAULT 0 CHECK ("preview" IN (0, 1))`.execute(db)
}
