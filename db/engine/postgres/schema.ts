import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { migrations } from '../../migrations/postgres/index.ts'
import { type Db, StoreRefused } from '../../store.ts'

/**
 * The advisory lock of migrations, by space and number. All programs that use the database share the lock numbers, so ours has its
 * own space, "GRST".
 */
const LOCK = { space: 0x47525354, migration: 1 }

/** How long to wait for another process to finish its migration, in milliseconds. */
const MIGRATION_TIMEOUT = 60_000

/** Brings the schema up to date. If several processes start at once, one migrates and the others wait. */
export async function migrate(db: Db) {
  const encoding = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db)
  if (encoding.rows[0]?.server_encoding !== 'UTF8') throw new StoreRefused('The database encoding must be UTF-8.')
  if ((await versionOf(db)) === migrations.length) return
  await db.transaction().execute(async (trx) => {
    await lockMigration(trx)
    const version = await versionOf(trx)
    if (version === migrations.length) return
    await expectOwner(trx, version)
    if (version === 0) await sql`CREATE TABLE "graphstead" ("schema" INTEGER NOT NULL)`.execute(trx)
    for (const migration of migrations.slice(version)) await migration(trx as unknown as Kysely<unknown>)
    await sql`DELETE FROM "graphstead"`.execute(trx)
    await sql`INSERT INTO "graphstead" VALUES (${migrations.length})`.execute(trx)
  })
}

/** Throws StoreRefused if this role may not change the schema. */
async function expectOwner(trx: Db, version: number) {
  const { rows } = await sql<{ role: string; mayMigrate: boolean }>`
    SELECT current_user AS "role", has_schema_privilege(current_schema(), 'CREATE') AND NOT EXISTS (
      SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'graphstead'
        AND NOT pg_has_role(tableowner, 'USAGE')) AS "mayMigrate"`.execute(trx)
  const [{ role, mayMigrate } = { role: '', mayMigrate: false }] = rows
  if (mayMigrate) return
  throw new StoreRefused(
    `The database has schema ${version}, but this version needs ${migrations.length}, and ${role} cannot migrate it. Run a command such as "graphstead user list" with the URL of the database owner, then grant the privileges again.`
  )
}

/** Polls for the lock, because a blocking statement would hit the timeouts. */
async function lockMigration(trx: Db) {
  const deadline = performance.now() + MIGRATION_TIMEOUT
  for (;;) {
    const lock = await sql<{ isMine: boolean }>`
      SELECT pg_try_advisory_xact_lock(${LOCK.space}::int, ${LOCK.migration}::int) AS "isMine"`.execute(trx)
    if (lock.rows[0]?.isMine) return
    if (performance.now() > deadline)
      throw new StoreRefused('Another process has been migrating the database for a minute.')
    await sleep(20)
  }
}

/** Returns the schema version, or 0 if there is no schema. Throws StoreRefused if the schema is newer than this program. */
async function versionOf(db: Db): Promise<number> {
  // The session caches whether a table exists, so check the list of tables first.
  const tables = await sql`
    SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'graphstead'`.execute(db)
  if (tables.rows.length === 0) return 0
  const { rows } = await sql<{ schema: number }>`SELECT "schema" FROM "graphstead"`.execute(db)
  const version = rows[0]?.schema ?? 0
  if (version > migrations.length) {
    throw new StoreRefused(
      `The database was written by a newer version of Graphstead (schema ${version}; this version supports up to ${migrations.length}). Start the newer version instead.`
    )
  }
  return version
}
