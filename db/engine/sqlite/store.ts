import { stat } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import type { StartThread } from '../../../graph/jobs/thread.ts'
import {
  COUNTED,
  type Db,
  type LastIds,
  type Store,
  storeClosed,
  type Transaction,
  type Trx,
  WRITES_WAITING
} from '../../store.ts'
import type { Tables } from '../../tables.ts'
import { begin, type CommitLimits, CommitQueue } from './commits.ts'
import { SqliteDriver, sqliteDialect, sqliteHandle } from './dialect.ts'
import { SqliteFiles } from './files.ts'
import { SqliteScanners } from './readers.ts'
import { inspect, LITESTREAM, migrate, toRefusal } from './schema.ts'

/** The maximum number of concurrent reads. Each lasts as long as its transaction. */
const READERS = 4

export type SqliteOptions = Partial<CommitLimits>

/**
 * Opens the database file, creating or migrating it as needed. Throws StoreRefused if the file belongs to another program, is
 * too new, or cannot be read or written.
 */
export async function openSqlite(file: string, startThread: StartThread, options: SqliteOptions = {}): Promise<Store> {
  const { lockTimeout = 10_000, groupSize = 200, queueLimit = WRITES_WAITING, lock } = options
  const limits = { lockTimeout, groupSize, queueLimit, lock }
  try {
    const connection = new Database(file)
    try {
      const isNew = inspect(connection, file)
      configure(connection)
      // Savepoints copy each page before its first change. By default, copies beyond 64 KiB are written to a file.
      connection.pragma('temp_store = MEMORY')
      // WAL mode persists in the file. Set it after busy_timeout, because two processes may be creating the file at once.
      connection.pragma('journal_mode = WAL')
      // From here on, `begin` waits for locks without blocking the event loop.
      connection.pragma('busy_timeout = 0')
      const db = sqliteHandle(new SqliteDriver(() => connection, 1))
      await begin(connection, limits.lockTimeout)
      await migrate(connection, db, file, isNew)
      connection.exec('COMMIT')
      return new SqliteStore(file, connection, db, startThread, limits)
    } catch (error) {
      connection.close()
      throw error
    }
  } catch (error) {
    throw toRefusal(error, file)
  }
}

class SqliteStore implements Store {
  readonly commitsInOrder = true
  readonly read: Db
  readonly scan: Db
  readonly report: Db
  readonly #scanners: SqliteScanners
  readonly #file: string
  readonly #files: SqliteFiles
  readonly #connection: Database.Database
  readonly #readers: SqliteDriver
  readonly #commits: CommitQueue
  #closed = false
  onCommit: Store['onCommit']
  onBroken: Store['onBroken']
  onReplica: Store['onReplica']
  readonly usesReplica = undefined

  constructor(file: string, connection: Database.Database, db: Db, startThread: StartThread, limits: CommitLimits) {
    this.#file = file
    this.#files = new SqliteFiles(file)
    this.#connection = connection
    this.#readers = new SqliteDriver(() => openReader(file), READERS, { sharesSnapshots: true })
    this.read = sqliteHandle(this.#readers)
    this.#scanners = new SqliteScanners(file, startThread)
    this.scan = new Kysely<Tables>({ dialect: sqliteDialect(this.#scanners) })
    this.report = this.scan
    this.#commits = new CommitQueue(connection, db, this.#files, limits, {
      // A client that learns of the commit must see it in its next read.
      beforeCommit: () => this.#readers.endSnapshots(),
      onCommit: (transactions, milliseconds) => this.onCommit?.(transactions, milliseconds),
      onBroken: (error) => this.onBroken?.(error)
    })
  }

  write<T>(transaction: Transaction<T>): Promise<T> {
    if (this.#closed) return Promise.reject(storeClosed())
    return this.#commits.add(transaction)
  }

  async listTables(db: Db) {
    // Excludes views, the tables of SQLite and Litestream, and the shadow tables of virtual tables.
    const { rows } = await sql<{ name: string }>`SELECT "name" FROM pragma_table_list
      WHERE "schema" = 'main' AND "type" IN ('table', 'virtual') AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'`.execute(
      db
    )
    return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(LITESTREAM, name))
  }

  async lastIds(db: Db) {
    const { rows } = await sql<{ name: string; seq: number }>`SELECT "name", "seq" FROM sqlite_sequence`.execute(db)
    const known = new Map(rows.map(({ name, seq }) => [name, seq]))
    return Object.fromEntries(COUNTED.map((table) => [table, known.get(table) ?? 0])) as LastIds
  }

  async setLastIds(trx: Trx, ids: LastIds) {
    for (const table of COUNTED) {
      await sql`DELETE FROM sqlite_sequence WHERE "name" = ${table}`.execute(trx)
      await sql`INSERT INTO sqlite_sequence ("name", "seq") VALUES (${table}, ${ids[table]})`.execute(trx)
    }
  }

  get waiting() {
    return this.#commits.waiting
  }

  fault() {
    return this.#files.fault()
  }

  async sizes() {
    const [database, log] = await Promise.all([sizeOf(this.#file), sizeOf(`${this.#file}-wal`)])
    return { database, log }
  }

  async close() {
    if (this.#closed) return
    this.#closed = true
    await this.#commits.drain()
    await this.#readers.destroy()
    await this.#scanners.destroy()
    // Skip `PRAGMA optimize`: plans made for small tables become slow as the tables grow.
    this.#connection.close()
  }
}

/** Returns the size of the file in bytes, or 0 if it does not exist. */
function sizeOf(file: string) {
  return stat(file).then(
    ({ size }) => size,
    () => 0
  )
}

/** Opens a read-only connection. */
function openReader(file: string) {
  const reader = configure(new Database(file, { readonly: true, fileMustExist: true }))
  // Map pages from the operating system's cache instead of copying them: in a store of a million graphs, few are read twice.
  reader.pragma('mmap_size = 2147418112')
  return reader
}

/** Sets the pragmas that are not stored in the file. */
function configure(connection: Database.Database) {
  connection.pragma('busy_timeout = 10000')
  // Commits must reach the disk before they are acknowledged. Reopening a file resets this to NORMAL.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('recursive_triggers = ON')
  connection.pragma('trusted_schema = OFF')
  connection.pragma('cache_size = -16000')
  connection.pragma('journal_size_limit = 67108864')
  return connection
}
