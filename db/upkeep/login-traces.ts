import { sql } from 'kysely'
import { system } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import type { Amend, Store } from '../store.ts'
import { TABLES, type TableWith } from '../tables.ts'
import { type Erasure, expectNoAccount } from './erasure.ts'

// Erases a deleted user from records other than events, where the user is named as the author of a version, grant, view, link,
// identity, token or deletion. The user cannot own a graph, because users who own graphs cannot be deleted.

/** The columns that contain authors. Erasing sets them to an empty string. */
const AUTHORS = [
  ['graph', 'principal'],
  ['graphVersion', 'principal'],
  ['trash', 'trashedBy'],
  ['graphGrant', 'createdBy'],
  ['savedView', 'savedBy'],
  ['link', 'createdBy'],
  ['userIdentity', 'linkedBy'],
  ['apiToken', 'createdBy']
] as const satisfies readonly (readonly [TableWith<{ rows: 'records' }>, string])[]

/** Counters per owner. Their rows remain after the counts reach zero. */
const COUNTERS = ['graphCount', 'usage'] as const

/** The maximum number of rows that one transaction changes. */
const BATCH = 500

type Key = Record<string, unknown>

/**
 * Erases the login from all records other than events, in batches. Each transaction records the number of records it erased.
 * Returns the total.
 */
export async function eraseTraces(store: Store, amend: Amend, erasure: Erasure): Promise<number> {
  let total = 0
  for (const [table, column] of AUTHORS) {
    const { key } = TABLES[table]
    const columns = sql.join(key.map((name) => sql.ref(name)))
    const valuesOf = (place: Key) => sql.join(key.map((name) => place[name]))
    for (let after: Key | undefined; ; ) {
      const above = after ? sql`AND (${columns}) > (${valuesOf(after)})` : sql``
      const { rows } = await sql<Key>`
        SELECT ${columns} FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${erasure.login} ${above}
        ORDER BY ${columns} LIMIT ${sql.lit(BATCH)}`.execute(store.scan)
      const last = rows.at(-1)
      if (!last) break
      total += await store.write(async (trx) => {
        await expectNoAccount(trx, erasure.login)
        const changed = await sql`
          UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ''
          WHERE ${sql.ref(column)} = ${erasure.login} ${above} AND (${columns}) <= (${valuesOf(last)})`.execute(trx)
        return record(Number(changed.numAffectedRows ?? 0))
        async function record(records: number) {
          if (records > 0) await recordEvent(trx, system, erasureOf(records, erasure))
          return records
        }
      })
      after = last
    }
  }
  for (const table of COUNTERS) {
    const isThere = await store.read.selectFrom(table).select('owner').where('owner', '=', erasure.login).execute()
    if (isThere.length === 0) continue
    total += await amend([table], async (trx) => {
      const removed = await trx.deleteFrom(table).where('owner', '=', erasure.login).returning('owner').execute()
      // Check this after locking the rows, because an account created in the meantime has its own counters.
      await expectNoAccount(trx, erasure.login)
      if (removed.length > 0) await recordEvent(trx, system, erasureOf(removed.length, erasure))
      return removed.length
    })
  }
  return total
}

function erasureOf(records: number, { reason }: Erasure) {
  return { type: 'AUDIT_ERASED', data: { events: '0', parts: '0', records: String(records), reason } } as const
}
