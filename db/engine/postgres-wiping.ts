import pg from 'pg'
import type { TableWith } from '../tables.ts'
import { configOf, type PostgresOptions } from './postgres.ts'

/** The tables that may have had personal data of a deleted user, salts, or old events. */
const TABLES: TableWith<object>[] = [
  'auditEvent',
  'auditSalt',
  'auditErased',
  'auditRun',
  'graph',
  'graphVersion',
  'trash',
  'graphGrant',
  'apiToken',
  'user',
  'graphCount',
  'usage',
  'graphWords',
  'graphWordPart'
]

/**
 * Rewrites tables with their indexes, so that their files have nothing but their rows; the values of dead rows stay in pages until
 * then. A server may go on; it waits for each table in turn. Returns the reasons why something is left, as sentences.
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
    for (const table of TABLES) await rewrite(`(FULL, ANALYZE) "${table}"`)
    // The statistics of the planner show frequent values. ANALYZE has replaced them.
    await rewrite('(FULL) pg_catalog.pg_statistic')
    return faults.length === 0 ? undefined : faults.join(' ')
  } finally {
    await client.end()
  }

  async function rewrite(what: string) {
    warning = ''
    try {
      await client.query(`VACUUM ${what}`)
    } catch (error) {
      warning = (error as Error).message
    }
    if (warning !== '') faults.push(`PostgreSQL says: ${warning}.`)
  }
}
