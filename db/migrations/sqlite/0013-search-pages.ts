import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Has the index of words take smaller pages: a search decodes a whole one for each place that it jumps to. New words go into such pages, and
 * FTS5 rewrites the others when it merges them (https://sqlite.org/fts5.html#the_pgsz_configuration_option).
 */
export const searchPages: Migration = async (db) => {
  await sql`INSERT INTO "graphWords" ("graphWords", "rank") VALUES ('pgsz', 1000)`.execute(db)
  await sql`INSERT INTO "graphWordPart" ("graphWordPart", "rank") VALUES ('pgsz', 1000)`.execute(db)
}
