import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** When the clock was last believed: at the last event, or now. A row that is written to see whether that is possible. */
export const clock: Migration = async (db) => {
  await sql`CREATE TABLE "clock" (
    "id" BIGINT PRIMARY KEY CHECK ("id" = 1),
    "trustedAt" BIGINT NOT NULL,
    "ran" BIGINT NOT NULL,
    "probes" BIGINT NOT NULL
  )`.execute(db)
  await sql`INSERT INTO "clock" VALUES (1, 1000 * floor(extract(epoch FROM coalesce(
    (SELECT "timestamp"::timestamptz FROM "auditEvent" ORDER BY "id" DESC LIMIT 1), now())))::BIGINT, 0, 0)`.execute(db)
}
