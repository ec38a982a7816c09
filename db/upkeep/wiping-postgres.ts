import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { configOf, type PostgresOptions } from '../engine/postgres/store.ts'
import type { TableWith } from '../tables.ts'

/** The tables that may have contained a deleted user's personal data, salts, or old events. */
const TABLES: TableWith<object>[] = [
  'auditEvent',
  'auditSalt',
  'auditErased',
  'auditRun',
  'graph',
  'graphVersion',
  'trash',
  'graphGrant',
  'savedView',
  'link',
  'userIdentity',
  'session',
  'secondFactor',
  'recoveryCode',
  'invitation',
  'apiToken',
  'user',
  'graphCount',
  'usage',
  'graphWords',
  'graphWordPart'
]

/** How long to wait for other transactions to end, and the polling interval, in milliseconds. */
const PATIENCE = 10_000
const PAUSE = 20

/**
 * Rewrites tables and their indexes, so that their files contain only current rows. Until then, pages still contain the values
 * of dead rows. A running server waits for each table in turn. Returns the reasons why old values remain, as sentences.
 */
export async function wipePostgres(url: string, options: PostgresOptions): Promise<string | undefined> {
  const client = new pg.Client({ ...configOf(url, options), statement_timeout: 0 })
  const faults: string[] = []
  let warning = ''
  client.on('notice', ({ message = '' }) => {
    warning = message
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await outlive()
    for (const table of TABLES) await rewrite(`(FULL, ANALYZE) "${table}"`)
    // The planner's statistics contain frequent values. ANALYZE has replaced them, which leaves dead rows. If some transactions
    // did not end the first time, do not wait for them again.
    if (faults.length === 0) await outlive()
    await rewrite('(FULL) pg_catalog.pg_statistic')
    return faults.length === 0 ? undefined : faults.join(' ')
  } finally {
    await client.end()
  }

  /**
   * Waits for transactions that can still see dead rows, because rewriting a table keeps those rows. The snapshot of VACUUM
   * FULL reaches back to the oldest transaction with an id in any database. The snapshots of other roles may not be visible.
   */
  async function outlive() {
    try {
      const { rows } = await client.query('SELECT pg_current_xact_id()::text AS "now"')
      const older = `SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) <= $1::text::xid8 OR EXISTS (
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND age(backend_xmin) >= age($1::text::xid8::xid)
          AND (query NOT LIKE 'autovacuum: VACUUM %' OR query LIKE 'autovacuum: VACUUM ANALYZE %'))`
      const deadline = performance.now() + PATIENCE
      while ((await client.query(older, [rows[0].now])).rowCount !== 0) {
        if (performance.now() > deadline) return tell('Other transactions can still see the removed data.')
        await sleep(PAUSE)
      }
    } catch (error) {
      tell(`PostgreSQL error: ${(error as Error).message}.`)
    }
  }

  /** Adds a reason, unless it is already listed. */
  function tell(fault: string) {
    if (!faults.includes(fault)) faults.push(fault)
  }

  async function rewrite(what: string) {
    warning = ''
    try {
      await client.query(`VACUUM ${what}`)
    } catch (error) {
      return tell(`PostgreSQL error: ${(error as Error).message}.`)
    }
    if (warning !== '') tell(`PostgreSQL warning: ${warning}.`)
  }
}
