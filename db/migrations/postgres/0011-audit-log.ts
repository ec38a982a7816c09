import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Adds the log that proves the audit events. The server takes in the events that are there already. */
export const auditLog: Migration = async (db) => {
  const text = sql.raw('TEXT COLLATE "C"')
  // Their last rows are replaced each second. Vacuuming keeps up, so that dead ones take little space.
  const growing = sql.raw('WITH (autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_scale_factor = 0.01)')
  const statements = [
    // Holds one row.
    sql`CREATE TABLE "auditLog" (
      "id" BIGINT PRIMARY KEY CHECK ("id" = 1),
      "origin" ${text} NOT NULL,
      "epoch" BIGINT NOT NULL,
      "size" BIGINT NOT NULL,
      "firstIndex" BIGINT NOT NULL,
      "key" ${text} NOT NULL,
      "checkpoint" ${text} NOT NULL
    ) WITH (fillfactor = 20)`,
    sql`INSERT INTO "auditLog" VALUES (1, '', 0, 0, 0, '', '')`,
    sql`CREATE TABLE "auditTile" (
      "level" BIGINT NOT NULL,
      "index" BIGINT NOT NULL,
      "hashes" BYTEA NOT NULL,
      PRIMARY KEY ("level", "index")
    ) ${growing}`,
    sql`CREATE TABLE "auditSalt" ("bundle" BIGINT PRIMARY KEY, "salts" BYTEA NOT NULL) ${growing}`,
    // Hashes and salts cannot be compressed.
    sql`ALTER TABLE "auditTile" ALTER COLUMN "hashes" SET STORAGE EXTERNAL`,
    sql`ALTER TABLE "auditSalt" ALTER COLUMN "salts" SET STORAGE EXTERNAL`,
    sql`CREATE TABLE "auditRun" (
      "firstIndex" BIGINT PRIMARY KEY,
      "firstId" BIGINT NOT NULL UNIQUE,
      "count" BIGINT NOT NULL
    )`,
    sql`CREATE TABLE "auditErased" (
      "index" BIGINT NOT NULL,
      "part" ${text} NOT NULL,
      "digest" ${text} NOT NULL,
      PRIMARY KEY ("index", "part")
    )`
  ]
  for (const statement of statements) await statement.execute(db)
}
