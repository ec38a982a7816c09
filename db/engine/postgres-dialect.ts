import { hash } from 'node:crypto'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult
} from 'kysely'
import pg from 'pg'
import { OutcomeUnknown, StoreBroken, StoreBusy, StoreConflict, StoreUnavailable } from '../store.ts'

/**
 * Kysely over pg, in place of the driver that comes with Kysely: each connection plans a statement once and then
 * knows it by name, and whatever goes wrong is told in the words of the store.
 */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler()
  }
}

/** int8 as numbers: ids stay below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** The connections of a pool. */
export class PostgresPoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #queueLimit: number
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>()
  /** Who has a connection, or waits for one. */
  #users = 0
  #ended: Promise<void> | undefined

  /** How many wait for a connection. */
  get waiting() {
    return this.#pool.waitingCount
  }

  /** So many may wait for a connection. */
  constructor(pool: pg.Pool, queueLimit: number) {
    this.#pool = pool
    this.#queueLimit = queueLimit
    // A connection that breaks while nobody uses it is replaced when it is needed.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      // And one in use fails its query, which tells it.
      client.on('error', () => {})
      // Where the server forgets what it has acknowledged, this session does not; stronger promises stay.
      client
        .query(
          `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`
        )
        .catch(() => {})
    })
  }

  async init() {}

  async acquireConnection() {
    if (this.#ended) throw new StoreUnavailable('the store is closed')
    if (this.#users >= this.#pool.options.max + this.#queueLimit) {
      throw new StoreBusy(`${this.#queueLimit} wait for a connection to the database`)
    }
    this.#users++
    const client = await this.#pool.connect().catch((error: Error) => {
      this.#users--
      throw new StoreUnavailable('there is no connection to the database', { cause: error })
    })
    let connection = this.#connections.get(client)
    if (!connection) {
      connection = new PostgresConnection(client)
      this.#connections.set(client, connection)
    }
    return connection
  }

  /** Unless asked otherwise each statement sees what is committed when it begins; see StoreConflict. */
  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel = 'read committed' }: { isolationLevel?: string } = {}
  ) {
    await connection.executeQuery(CompiledQuery.raw(`BEGIN ISOLATION LEVEL ${isolationLevel}`))
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('COMMIT')).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new OutcomeUnknown('the connection broke while it was being committed', { cause: error })
    })
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    // Where this fails the connection is broken, and nothing of it stays.
    await connection
      .executeQuery(CompiledQuery.raw('ROLLBACK'))
      .catch(() => (connection as PostgresConnection).discard())
  }

  async releaseConnection(connection: DatabaseConnection) {
    this.#users--
    ;(connection as PostgresConnection).release()
  }

  /** Idempotent; waits for what is under way. Whatever is asked for later is refused. */
  async destroy() {
    this.#ended ??= this.#pool.end()
    await this.#ended
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  #isBroken = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const isPrepared = parameters.length > 0
      const { rows, rowCount } = await this.#client.query({
        text: sql,
        values: parameters.map(storable),
        types,
        ...(isPrepared && { name: nameOf(sql) })
      })
      return { rows: (rows ?? []) as R[], ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
    } catch (error) {
      const reason = translate(error)
      if (reason instanceof StoreUnavailable) this.#isBroken = true
      throw reason
    }
  }

  // biome-ignore lint/correctness/useYield: nobody streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are not streamed here')
  }

  discard() {
    this.#isBroken = true
  }

  release() {
    this.#client.release(this.#isBroken)
  }
}

/**
 * Text of PostgreSQL has no U+0000, nor has any of ours (see TEXT in schemas/types.ts). Who asks for some that has it
 * gets what there is: nothing.
 */
function storable(value: unknown) {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffe') : value
}

const names = new Map<string, string>()

/** A name for the statement. Names have 63 bytes at most, and longer ones would be cut. */
function nameOf(text: string) {
  let name = names.get(text)
  if (!name) {
    name = hash('sha1', text)
    names.set(text, name)
  }
  return name
}

/** What goes away when it is tried again: serialization, deadlock, and rows that others have added or removed meanwhile. */
const CONFLICTS = ['40001', '40P01', '23503', '23505']

/** By class: connection, resources (a full disk, too many connections), operator intervention (shutdown, a time-out). */
const UNAVAILABLE = /^(08|53|57|58)/
/** A time-out of waiting for a lock. */
const ALSO_UNAVAILABLE = ['55P03']
/** A full disk, a server that is only a copy, a sequence that has come to its end. */
const BROKEN = ['53100', '25006', '2200H']

/** The error in the words of the store; one that is about the statement itself stays as it is. */
export function translate(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const isFromServer = error instanceof pg.DatabaseError
  if (!isFromServer && (/^(E[A-Z]+|[A-Z_]*TIMEOUT)$/.test(code) || /connection|timeout/i.test(message))) {
    return new StoreUnavailable('the connection to the database broke', { cause: error })
  }
  if (CONFLICTS.includes(code)) return new StoreConflict(message, { cause: error })
  // Its own words may name files; readiness tells everybody the code.
  if (BROKEN.includes(code)) return new StoreBroken(`PostgreSQL answers ${code}`, { cause: error })
  if (UNAVAILABLE.test(code) || ALSO_UNAVAILABLE.includes(code)) return new StoreUnavailable(message, { cause: error })
  return error
}
