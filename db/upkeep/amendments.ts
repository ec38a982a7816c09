import { PostgresAdapter, sql } from 'kysely'
import { readLog } from '../audit/log.ts'
import { type Amend, type Db, type GuardedTable, type Store, StoreRefused, type Trx } from '../store.ts'

// Events are only added: triggers refuse all else. The commands that erase people and remove old events are the exception, as owners of
// the database. Nothing else may import this file; a test holds that.

/** The ways of an engine to switch the triggers of a table off. */
interface Guard {
  /** Throws StoreRefused unless this process acts as the owner of the tables. */
  expectOwner(db: Db): Promise<void>
  /** Switches the triggers off. Returns a function that switches them on again, as they were. */
  lift(trx: Trx, table: GuardedTable): Promise<() => Promise<unknown>>
}

/** Returns the function that opens tables of this store. Throws StoreRefused unless this process acts as their owner. */
export async function amendmentsOf(store: Store): Promise<Amend> {
  await guardOf(store.read).expectOwner(store.read)
  return (tables, transaction) =>
    store.write(async (trx) => {
      // The log first, as the sequencer does: it adds nothing meanwhile.
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
  // The owner of the file is its user.
  async expectOwner() {},

  async lift(trx, table) {
    // SQLite overwrites removed values with zeros.
    await sql`PRAGMA secure_delete = ON`.execute(trx)
    const names = table === 'auditEvent' ? ['auditEventNeverEdited', 'auditEventNeverDeleted'] : []
    const texts: string[] = []
    for (const name of names) {
      const found = sql<{ sql: string }>`SELECT "sql" FROM sqlite_schema WHERE "type" = 'trigger' AND "name" = ${name}`
      const [trigger] = (await found.execute(trx)).rows
      if (!trigger) throw new StoreRefused(`The trigger ${name} is missing: graphstead check tells more.`)
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
        `The role ${role} does not own the tables, and may not change events: use the URL of their owner.`
      )
    }
  },

  // Blocks other writers of the table until the transaction ends.
  async lift(trx, table) {
    const trigger = sql.id(TRIGGERS[table])
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER ${trigger}`.execute(trx)
    return () => sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER ${trigger}`.execute(trx)
  }
}
