import { Kysely } from 'kysely'
import pg from 'pg'
import { PostgresPoolDriver, postgresDialect } from '../engine/postgres/dialect.ts'
import { checkPooler } from '../engine/postgres/pooler.ts'
import { catchUp, positionOf } from '../engine/postgres/replica.ts'
import { configOf, connectionsOf, type PostgresOptions } from '../engine/postgres/store.ts'
import { migrations } from '../migrations/postgres/index.ts'
import { StoreRefused } from '../store.ts'
import type { Tables } from '../tables.ts'
import type { StoreState } from './store-state.ts'

/** The statement timeout, in milliseconds. */
const STATEMENT_TIMEOUT = 5000

/** Inspects the database in a read-only transaction. Throws StoreRefused, with a message that contains no password. */
export async function inspectPostgres(url: string, options: PostgresOptions): Promise<StoreState> {
  let client: pg.Client | undefined
  try {
    const config = configOf(url, { ...options, statementTimeout: STATEMENT_TIMEOUT })
    await checkPooler(config, connectionsOf(options))
    client = new pg.Client(config)
    client.on('error', () => {})
    await client.connect()
    await client.query('BEGIN READ ONLY')
    return await inspect(client)
  } catch (error) {
    if (error instanceof StoreRefused) throw error
    throw new StoreRefused(`The database cannot be used: ${messageOf(error)}.`)
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Returns the message of an error of the driver. If a host name resolves to several addresses, the error has only a code. */
function messageOf(error: unknown) {
  const { message, code } = error as Error & { code?: string }
  return message || code
}

/**
 * Checks that the replica is a standby of the database, and lets it catch up for a moment. Returns the number of bytes of the log
 * that it still lacks. Throws StoreRefused if it cannot be used.
 */
export async function inspectReplica(url: string, replica: string, options: PostgresOptions): Promise<number> {
  const handles: Kysely<Tables>[] = []
  const connect = (url: string) => {
    const config = configOf(url, { ...options, statementTimeout: STATEMENT_TIMEOUT })
    const pool = new PostgresPoolDriver(new pg.Pool({ ...config, max: 1 }), 1, STATEMENT_TIMEOUT)
    const handle = new Kysely<Tables>({ dialect: postgresDialect(pool) })
    handles.push(handle)
    return handle
  }
  try {
    return await catchUp(connect(replica), await positionOf(connect(url)))
  } catch (error) {
    throw new StoreRefused(`The replica cannot be used: ${messageOf((error as Error).cause ?? error)}.`)
  } finally {
    for (const handle of handles) await handle.destroy()
  }
}

async function inspect(client: pg.Client): Promise<StoreState> {
  const rowOf = async (sql: string) => (await client.query(sql)).rows[0] as Record<string, unknown> | undefined
  const server =
    await rowOf(`SELECT current_setting('server_version') AS "version", pg_database_size(current_database()) AS "size",
    EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'graphstead') AS "isOurs"`)
  const schema = server?.isOurs ? Number((await rowOf('SELECT "schema" FROM "graphstead"'))?.schema ?? 0) : 0
  const event = schema > 0 ? await rowOf('SELECT "timestamp" FROM "auditEvent" ORDER BY "id" DESC LIMIT 1') : undefined
  return {
    engine: `PostgreSQL ${server?.version}`,
    schema,
    ownSchema: migrations.length,
    size: Number(server?.size),
    newestEvent: event && String(event.timestamp)
  }
}
