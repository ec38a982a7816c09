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
import { currentRequester, Slots } from '../../../graph/jobs/shares.ts'
import { OutcomeUnknown, StoreBusy, StoreConflict, StoreUnavailable, storeClosed } from '../../store.ts'
import { isAnswer, translate } from './errors.ts'

/**
 * Returns a dialect for pg that replaces Kysely's own. Each connection plans a statement once and then refers to it by name,
 * and errors are translated to store errors.
 */
export function postgresDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler()
  }
}

/** Parse int8 as a number, because ids stay below 2^53. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** A driver that takes its connections from a pool. */
export class PostgresPoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #answerTimeout: number
  readonly #isScanning: boolean
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>()
  readonly #releases = new WeakMap<PostgresConnection, () => void>()
  readonly #slots: Slots
  #ended: Promise<void> | undefined

  /**
   * At most `queueLimit` callers may wait for a connection, and the server must respond within `answerTimeout` milliseconds.
   * With `isScanning`, callers stop waiting when their client disconnects.
   */
  constructor(pool: pg.Pool, queueLimit: number, answerTimeout: number, isScanning = false) {
    this.#pool = pool
    this.#isScanning = isScanning
    const { max: slots } = pool.options
    // Transactions are short, so a single user may hold most connections. A transaction may need a second connection.
    const slotsOfOne = isScanning ? 1 : Math.max(2, slots - 2)
    this.#slots = new Slots({ slots, slotsOfOne, waiting: queueLimit })
    this.#answerTimeout = answerTimeout
    // A broken idle connection is replaced on demand.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      // If a connection breaks during a query, the query fails anyway.
      client.on('error', () => {})
      // The server may be configured to acknowledge commits before they are durable. Keep stricter settings unchanged.
      client
        .query(
          `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`
        )
        .catch(() => {})
    })
  }

  async init() {}

  async acquireConnection() {
    if (this.#ended) throw storeClosed()
    const release = await this.#takeSlot()
    const client = await this.#pool.connect().catch((error: Error) => {
      release()
      throw new StoreUnavailable('the database is not connected', { cause: error })
    })
    let connection = this.#connections.get(client)
    if (!connection) {
      connection = new PostgresConnection(client, this.#answerTimeout)
      this.#connections.set(client, connection)
    }
    this.#releases.set(connection, release)
    return connection
  }

  /** Waits for a slot, but no longer than the connection timeout. */
  async #takeSlot() {
    const { connectionTimeoutMillis = 0 } = this.#pool.options
    const requester = currentRequester()
    const isScanning = this.#isScanning
    const waiting = {
      holder: requester.holder,
      // Create the signal only if no slot is free.
      get signal() {
        const late = AbortSignal.timeout(connectionTimeoutMillis)
        return isScanning && requester.signal ? AbortSignal.any([late, requester.signal]) : late
      }
    }
    try {
      return await this.#slots.take(waiting)
    } catch (error) {
      if (isScanning && requester.signal?.aborted) throw error
      throw new StoreBusy('all connections to the database are in use', { cause: error })
    }
  }

  /**
   * Begins a transaction. By default, each statement sees everything committed before the statement began (see StoreConflict).
   */
  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel = 'read committed' }: { isolationLevel?: string } = {}
  ) {
    ;(connection as PostgresConnection).conflict = undefined
    await connection.executeQuery(CompiledQuery.raw(`BEGIN ISOLATION LEVEL ${isolationLevel}`))
  }

  async commitTransaction(connection: DatabaseConnection) {
    const session = connection as PostgresConnection
    const { command } = await session.query({ text: 'COMMIT' }).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable) || isAnswer(error.cause)) throw error
      throw new OutcomeUnknown('the connection was lost during the commit', { cause: error })
    })
    // If a statement failed but the transaction continued, the server responds to COMMIT with ROLLBACK and no error.
    if (command === 'COMMIT') return
    throw session.conflict ?? new Error('the transaction was rolled back because one of its statements failed')
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    // If this fails, the connection is broken and the server rolls back.
    await connection
      .executeQuery(CompiledQuery.raw('ROLLBACK'))
      .catch(() => (connection as PostgresConnection).discard())
  }

  async releaseConnection(connection: DatabaseConnection) {
    const session = connection as PostgresConnection
    session.release()
    this.#releases.get(session)?.()
  }

  /** Closes the connections after running queries finish, and rejects later queries. Idempotent. */
  async destroy() {
    this.#ended ??= this.#pool.end()
    await this.#ended
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #answerTimeout: number
  /** Whether the connection has ended. Its queries then fail with errors from Node.js or pg that share no error code. */
  #isCut = false
  #isBroken = false
  /** The first conflict in the transaction, even if the transaction's function caught it. */
  conflict: StoreConflict | undefined

  constructor(client: pg.PoolClient, answerTimeout: number) {
    this.#client = client
    this.#answerTimeout = answerTimeout
    // pg emits these events before it rejects the queries.
    const onCut = () => {
      this.#isCut = true
    }
    client.on('error', onCut).on('end', onCut)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const isPrepared = parameters.length > 0
    const { rows, rowCount } = await this.query({
      text: sql,
      values: parameters.map(storable),
      types,
      ...(isPrepared && { name: nameOf(sql) })
    })
    return { rows: (rows ?? []) as R[], ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
  }

  /** Runs the query within the response timeout. Translates errors to store errors. */
  async query(query: pg.QueryConfig) {
    const timer = setTimeout(() => this.#cut(), this.#answerTimeout)
    try {
      return await this.#client.query(query)
    } catch (error) {
      const isConnection = this.#isCut && !(error instanceof pg.DatabaseError)
      const reason = isConnection
        ? new StoreUnavailable('the connection to the database was lost', { cause: error })
        : translate(error)
      if (reason instanceof StoreUnavailable && !isAnswer(error)) this.#isBroken = true
      if (reason instanceof StoreConflict) this.conflict ??= reason
      throw reason
    } finally {
      clearTimeout(timer)
    }
  }

  /** Closes the connection because the server does not respond. */
  #cut() {
    this.#isCut = true
    this.#client.end().catch(() => {})
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming rows is not supported')
  }

  discard() {
    this.#isBroken = true
  }

  release() {
    this.#client.release(this.#isBroken)
  }
}

/**
 * Converts a value for PostgreSQL, whose text cannot contain U+0000. Stored text never contains it either (see TEXT in
 * schemas/types.ts), so a search for it must find nothing instead of failing.
 */
function storable(value: unknown) {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffe') : value
}

/**
 * The maximum number of named statements. Each connection has its own, and requests can combine any number of sort orders and
 * page sizes.
 */
const MAX_NAMES = 500

const names = new Map<string, string>()

/** Returns a name for the statement, or undefined if there are too many already. PostgreSQL truncates names to 63 bytes. */
function nameOf(text: string) {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_NAMES) {
    name = hash('sha1', text)
    names.set(text, name)
  }
  return name
}
