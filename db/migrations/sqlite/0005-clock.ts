import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** When the clock was last believed: at the last event, or now. A row that is written to see whether that is possible. */
export const clock: Migration = async (db) => {
  await sql`CREATE TABLE "clock" (
    "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
    "trustedAt" INTEGER NOT NULL,
    "ran" INTEGER NOT NULL,
    "probes" INTEGER NOT NULL
  ) STRICT`.execute(db)
  await sql`INSERT INTO "clock" VALUES (1, 1000 * CAST(strftime('%s', coalesce(
    (SELECT "timestamp" FROM "auditEvent" ORDER BY "id" DESC LIMIT 1), 'now')) AS INTEGER), 0, 0)`.execute(db)
}
