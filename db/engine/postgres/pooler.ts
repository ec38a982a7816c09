import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StoreRefused } from '../../store.ts'

/** A named statement, as all statements with parameters are. */
const NAMED = { name: 'graphstead', text: 'SELECT $1::int', values: [1] }

/** The error if a connection does not know the name of a statement. */
const UNKNOWN_NAME = '26000'

/**
 * Checks that a pooler in front of the database, such as PgBouncer, can give this process this many connections at once, and keeps the
 * names of statements when it gives a client another connection. It may forget settings, so commits must be durable by default.
 * Without a pooler, does nothing. Throws StoreRefused, or the error of a connection.
 */
export async function checkPooler(config: pg.ClientConfig, connections: number) {
  const clients: pg.Client[] = []
  const connect = async () => {
    const client = new pg.Client(config)
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const client = await connect()
    if (await isDirect(client)) return
    if (!(await isDurable(client))) {
      throw new StoreRefused(
        'The database does not wait for the disk, and the pooler in front of it forgets that this process asks for it. Run ALTER ROLE … SET synchronous_commit = on for the role of this server, and reconnect the pooler.'
      )
    }
    await client.query(NAMED)
    const { connectionTimeoutMillis: timeout } = config
    const late = sleep(timeout, false, { ref: false })
    const hold = async () => (await connect()).query('BEGIN')
    // The others now hold the connection on which the statement was prepared, so the pooler takes another one for it.
    const others = Promise.all(Array.from({ length: connections - 1 }, hold)).then(() => client.query(NAMED))
    if (await Promise.race([others, late])) return
    throw new StoreRefused(
      `The pooler in front of the database does not give this process ${connections} connections at once: as many as --database-pool-size, and two for searches. Enlarge the pool, or lower --database-pool-size.`
    )
  } catch (error) {
    if ((error as { code?: string }).code !== UNKNOWN_NAME) throw error
    throw new StoreRefused(
      'The pooler in front of the database loses prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements above zero, or the pool mode session.'
    )
  } finally {
    for (const client of clients) client.end().catch(() => {})
  }
}

/** Returns whether the client is connected to the database itself, whose processes poolers do not reveal. */
async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"')
  return rows[0]?.pid === (client as pg.Client & { processID?: number }).processID
}

/** Returns whether commits wait for the disk unless a session asks for less. */
async function isDurable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ value: string }>(
    `SELECT "reset_val" AS "value" FROM "pg_settings" WHERE "name" = 'synchronous_commit'`
  )
  return rows[0]?.value !== 'off'
}
