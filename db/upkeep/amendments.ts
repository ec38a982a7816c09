import { PostgresAdapter, sql } from 'kysely'
import { readLog } from '../audit/log.ts'
import { type Amend, type Db, type GuardedTable, type Store, StoreRefused, type Trx } from '../store.ts'

// Events are append-only: triggers reject all other changes. The only exceptions are the commands that erase people's data and
// remove old events, which act as the owner of the database. A test enforces that no other code imports this file.

/** How an engine disables the triggers of a table. */
interface Guard {
  /** Throws StoreRefused unless this process acts as the owner of the tables. */
  expectOwner(db: Db): Promise<void>
  /** Disables the triggers. Returns a function that restores them. */
  lift(trx: Trx, table: GuardedTable): Promise<() => Promise<unknown>>
}

/**
 * Returns a function that runs transactions on the guarded tables of this store. Throws StoreRefused unless this process acts
 * as their owner.
 */
export async function amendmentsOf(store: Store): Promise<Amend> {
  await guardOf(store.read).expectOwner(store.read)
  return (tables, transaction) =>
    store.write(async (trx) => {
      // Lock the log first, as the sequencer does, so that the sequencer appends nothing in the meantime.
      await readLog(trx)
      const guard = guardOf(trx)
      const restores: (() => Promise<unknown>)[] = []
      for (const table of tables) restores.push(await guard.lift(trx, table))
      const result = await transaction(trx)
      for (const restore of restores) await restore()
      return result
    })
}

function guardOf(db: Db): Guard {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgres : sqlite
}

const sqlite: Guard = {
  // Anyone who can write to the file is considered its owner.
  async expectOwner() {},

  async lift(trx, table) {
    // Makes SQLite overwrite removed values with zeros.
    await sql`PRAGMA secure_delete = ON`.execute(trx)
    const names = table === 'auditEvent' ? ['auditEventNeverEdited', 'auditEventNeverDeleted'] : []
    const texts: string[] = []
    for (const name of names) {
      const found = sql<{ sql: string }>`SELECT "sql" FROM sqlite_schema WHERE "type" = 'trigger' AND "name" = ${name}`
      const [trigger] = (await found.execute(trx)).rows
      if (!trigger) throw new StoreRefused(`The trigger ${name} is missing. Run graphstead check for details.`)
      texts.push(trigger.sql)
      await sql`DROP TRIGGER ${sql.id(name)}`.execute(trx)
    }
    return async () => {
      for (const text of texts) await sql.raw(text).execute(trx)
    }
  }
}

const TRIGGERS: Record<GuardedTable, string> = {
  auditEvent: 'auditEventNeverChanged',
  auditDay: 'auditDayFollows',
  graphCount: 'graphCountFollows',
  usage: 'usageFollows'
}

const postgres: Guard = {
  async expectOwner(db) {
    const { rows } = await sql<{ role: string; isOwner: boolean }>`
      SELECT current_user AS "role", bool_and(pg_has_role(tableowner, 'USAGE')) AS "isOwner" FROM pg_tables
      WHERE schemaname = current_schema() AND tablename IN (${sql.join(Object.keys(TRIGGERS))})`.execute(db)
    const [{ role, isOwner } = { role: '', isOwner: false }] = rows
    if (!isOwner) {
      throw new StoreRefused(
        `The role ${role} does not own the tables and cannot change events. Use the URL of the database owner.`
      )
    }
  },

  // Blocks other writers to the table until the transaction ends.
  async lift(trx, table) {
    const trigger = sql.id(TRIGGERS[table])
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER ${trigger}`.execute(trx)
    return () => sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER ${trigger}`.execute(trx)
  }
}
