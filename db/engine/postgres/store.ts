import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import {
  COUNTED,
  type Db,
  type LastIds,
  type Store,
  StoreBroken,
  StoreBusy,
  StoreConflict,
  StoreRefused,
  StoreUnavailable,
  storeClosed,
  type Transaction,
  type Trx,
  WRITES_WAITING
} from '../../store.ts'
import type { Tables } from '../../tables.ts'
import { notify } from '../notify.ts'
import { PostgresPoolDriver, postgresDialect } from './dialect.ts'
import { KeyConflict } from './errors.ts'
import { checkPooler } from './pooler.ts'
import { ReplicaDriver } from './replica.ts'
import { migrate } from './schema.ts'

export interface PostgresOptions {
  /** The URL of a standby for reports. */
  replica?: string | undefined
  /** The maximum number of connections for this process, not counting those for scans. */
  poolSize?: number | undefined
  /** The statement timeout, in milliseconds. */
  statementTimeout?: number | undefined
  /** How long a statement may wait for a row lock, in milliseconds. */
  lockTimeout?: number | undefined
  /** The timeout for a new connection, in milliseconds. */
  connectTimeout?: number | undefined
  /** The TLS mode, unless the URL sets it. `verify` checks the server's certificate and host name. */
  tls?: 'off' | 'require' | 'verify' | undefined
  /** A PEM file of trusted certificates. Defaults to those that Node.js trusts. */
  caFile?: string | undefined
  /** The maximum number of transactions and reads that may wait for a connection. Any beyond this limit are rejected. */
  queueLimit?: number | undefined
}

const POOL_SIZE = 10

/** The maximum numbers of concurrent scans and of waiting scans. */
const SCANS = 2
const SCANS_WAITING = 100

/** How long after the statement timeout a response may still arrive, in milliseconds. */
const ANSWER_MARGIN = 2000

/** The maximum age of a connection, in seconds. */
const LIFETIME = 600

/** How long a session may be idle in a transaction, in milliseconds. After that, its process is presumed dead. */
const ABANDONED_AFTER = 60_000

/** The maximum number of attempts for a transaction that conflicts with others. */
const ATTEMPTS = 20
/**
 * The maximum number of attempts for a transaction that violates a foreign key. The cause may be another transaction or a bug in
 * the program.
 */
const KEY_ATTEMPTS = 5

/** Opens the database at the URL, migrating it as needed. Throws StoreRefused if the database cannot be used. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { poolSize = POOL_SIZE, queueLimit = WRITES_WAITING, statementTimeout = 30_000 } = options
  let config: pg.PoolConfig
  let replicaConfig: pg.PoolConfig | undefined
  try {
    config = configOf(url, { ...options, statementTimeout })
    replicaConfig =
      options.replica === undefined ? undefined : configOf(options.replica, { ...options, statementTimeout })
  } catch (error) {
    throw new StoreRefused(`The database settings are not valid: ${(error as Error).message}.`)
  }
  const answerTimeout = statementTimeout + ANSWER_MARGIN
  const pool = new PostgresPoolDriver(new pg.Pool({ ...config, max: poolSize }), queueLimit, answerTimeout)
  const poolOfScans = (config: pg.PoolConfig) =>
    new PostgresPoolDriver(new pg.Pool({ ...config, max: SCANS }), SCANS_WAITING, answerTimeout, true)
  const scans = poolOfScans(config)
  const db = new Kysely<Tables>({ dialect: postgresDialect(pool) })
  try {
    await checkPooler(config, connectionsOf(options))
    await migrate(db)
    return new PostgresStore(pool, scans, db, replicaConfig && poolOfScans(replicaConfig))
  } catch (error) {
    await pool.destroy()
    await scans.destroy()
    if (error instanceof StoreRefused) throw error
    const { message, code } = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: string }
    // If a host name resolves to several addresses, the combined error has no message.
    throw new StoreRefused(`The database cannot be used: ${message || code}.`)
  }
}

/** Returns the maximum number of connections for this process. */
export function connectionsOf({ poolSize = POOL_SIZE }: PostgresOptions): number {
  return poolSize + SCANS
}

/** Returns the connection settings. Throws if they are invalid. */
export function configOf(url: string, options: PostgresOptions): pg.PoolConfig {
  const { statementTimeout, lockTimeout = 10_000, connectTimeout = 5000, tls = 'off', caFile } = options
  if (!/^postgres(ql)?:$/.test(new URL(url).protocol)) throw new Error('the URL must begin with postgres://')
  const saysTls = /[?&]ssl(mode)?=/.test(url)
  const authorities = caFile === undefined ? undefined : { ca: readFileSync(caFile, 'utf8') }
  const ssl = tls === 'off' ? false : { rejectUnauthorized: tls === 'verify', ...authorities }
  return {
    connectionString: url,
    ...(!saysTls && { ssl }),
    statement_timeout: statementTimeout,
    // After a failover, the host name may point to another server.
    maxLifetimeSeconds: LIFETIME,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: ABANDONED_AFTER,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: 'graphstead'
  }
}

class PostgresStore implements Store {
  readonly commitsInOrder = false
  readonly read: Db
  readonly scan: Db
  readonly report: Db
  readonly #replica: ReplicaDriver | undefined
  readonly #pool: PostgresPoolDriver
  readonly #scans: PostgresPoolDriver
  readonly #writing = new Set<Promise<unknown>>()
  /** The number of transactions that are waiting for a connection. */
  #waiting = 0
  #closed = false
  onCommit: Store['onCommit']
  onBroken: Store['onBroken']
  onReplica: Store['onReplica']

  constructor(pool: PostgresPoolDriver, scans: PostgresPoolDriver, read: Db, replica?: PostgresPoolDriver) {
    this.#pool = pool
    this.#scans = scans
    this.read = read
    this.scan = new Kysely<Tables>({ dialect: postgresDialect(scans) })
    this.report = this.scan
    if (!replica) return
    const handles = { read, scan: this.scan, replica: new Kysely<Tables>({ dialect: postgresDialect(replica) }) }
    this.#replica = new ReplicaDriver(handles, (fault) => this.onReplica?.(fault))
    this.report = new Kysely<Tables>({ dialect: postgresDialect(this.#replica) })
  }

  write<T>(transaction: Transaction<T>): Promise<T> {
    if (this.#closed) return Promise.reject(storeClosed())
    const written = this.#attempt(transaction)
    this.#writing.add(written)
    const forget = () => this.#writing.delete(written)
    written.then(forget, forget)
    return written
  }

  /**
   * Runs the transaction and retries it after a StoreConflict. Each change specifies the state that it expects, and conflicts
   * if another transaction has changed that state in the meantime.
   */
  async #attempt<T>(transaction: Transaction<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transact(transaction)
      } catch (error) {
        if (error instanceof StoreBroken) notify(() => this.onBroken?.(error))
        if (!(error instanceof StoreConflict)) throw error
        if (error instanceof KeyConflict && attempt >= KEY_ATTEMPTS) throw error.cause
        if (attempt >= ATTEMPTS) throw new StoreBusy('other transactions keep changing the same rows', { cause: error })
        await sleep(Math.random() * Math.min(2 ** attempt, 100))
      }
    }
  }

  /** Runs the transaction once. */
  async #transact<T>(transaction: Transaction<T>): Promise<T> {
    let isWaiting = true
    this.#waiting++
    const stopWaiting = () => {
      if (isWaiting) this.#waiting--
      isWaiting = false
    }
    try {
      let committingSince = 0
      const result = await this.read.transaction().execute(async (trx) => {
        stopWaiting()
        const result = await transaction(handleOf(trx))
        committingSince = performance.now()
        return result
      })
      const milliseconds = performance.now() - committingSince
      notify(() => this.onCommit?.(1, milliseconds))
      return result
    } finally {
      stopWaiting()
    }
  }

  async listTables(db: Db) {
    // Excludes the table that stores the schema version.
    const { rows } = await sql<{ name: string }>`SELECT tablename AS "name" FROM pg_tables
      WHERE schemaname = current_schema() AND tablename <> 'graphstead'`.execute(db)
    return rows.map(({ name }) => name)
  }

  async lastIds(db: Db) {
    const ids = {} as LastIds
    for (const table of COUNTED) {
      const sequence = sql.table(`${table}_id_seq`)
      const { rows } = await sql<{ last: number }>`
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS "last" FROM ${sequence}`.execute(db)
      ids[table] = rows[0]?.last ?? 0
    }
    return ids
  }

  async setLastIds(trx: Trx, ids: LastIds) {
    for (const table of COUNTED) {
      if (ids[table] === 0) continue
      await sql`SELECT setval(pg_get_serial_sequence(${`"${table}"`}::text, 'id'), ${ids[table]}::bigint)`.execute(trx)
    }
  }

  get waiting() {
    return this.#waiting
  }

  get usesReplica() {
    return this.#replica?.isUsed
  }

  /** The server monitors its own files. */
  fault() {
    return undefined
  }

  async sizes() {
    const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS "size"`.execute(
      this.read
    )
    return { database: rows[0]?.size ?? 0 }
  }

  async close() {
    if (this.#closed) return
    this.#closed = true
    await Promise.allSettled(this.#writing)
    await Promise.all([this.#pool.destroy(), this.#scans.destroy(), this.#replica?.destroy()])
  }
}

/** Converts Kysely's transaction to a store handle. */
function handleOf(transaction: Db): Trx {
  return Object.assign(transaction, {
    locksRows: true,
    // Unlike a row lock, an advisory lock writes nothing. It ends with the transaction, so it works behind poolers.
    async lock(kind: string, name: string) {
      await sql`SELECT pg_advisory_xact_lock(hashtext(${kind}), hashtext(${name}))`.execute(transaction)
    },
    defer: (task: () => Promise<unknown>) => task()
  })
}
