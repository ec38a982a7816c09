import Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import { type Db, StoreBroken, StoreUnavailable } from '../store.ts'
import type { Tables } from '../tables.ts'
import type { Immediate } from './immediate.ts'
import { Pool } from './pool.ts'
import { RowCache } from './row-cache.ts'

/**
 * Kysely over better-sqlite3, in place of the dialect that comes with Kysely: statements are prepared once for
 * each connection (13 µs become 4), booleans bind, and several connections read beside one another.
 */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler()
  }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
}

/** Returns a handle for queries on the connections of this event loop. */
export function sqliteHandle(driver: SqliteDriver): Db {
  return Object.assign(new Kysely<Tables>({ dialect: sqliteDialect(driver) }), { immediate: driver })
}

/** A pool of connections, opened as they are needed. */
export class SqliteDriver implements Driver, Immediate {
  readonly #pool: Pool<SqliteConnection>

  /** With `sharesSnapshots`, queries of one turn of the event loop see one snapshot. */
  constructor(open: () => Database.Database, size: number, { sharesSnapshots = false } = {}) {
    this.#pool = new Pool({ open: () => new SqliteConnection(opened(open), sharesSnapshots), size })
  }

  async init() {}

  acquireConnection() {
    return this.#pool.take()
  }

  rowsOf<Row>(query: CompiledQuery<Row>, key?: string): readonly Row[] | undefined {
    const connection = this.#pool.takeNow()
    if (!connection) return undefined
    // The query runs in this turn, in which no other caller can take the connection.
    this.#pool.giveBack(connection)
    return connection.rowsOf(query, key)
  }

  /** Queries from now on see what has been committed until now. */
  endSnapshots() {
    for (const connection of this.#pool.members) connection.endSnapshot()
  }

  async releaseConnection(connection: DatabaseConnection) {
    this.#pool.giveBack(connection as SqliteConnection)
  }

  async beginTransaction(connection: DatabaseConnection) {
    ;(connection as SqliteConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection) {
    ;(connection as SqliteConnection).end('COMMIT')
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    ;(connection as SqliteConnection).end('ROLLBACK')
  }

  /** Closes the connections; idempotent. Queries that wait, and later ones, are refused. */
  async destroy() {
    for (const connection of this.#pool.close()) connection.close()
  }
}

function opened(open: () => Database.Database) {
  try {
    return open()
  } catch (error) {
    throw translate(error)
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #sharesSnapshots: boolean
  #hasSnapshot = false
  #isInTransaction = false
  readonly #remembered = new RowCache()

  constructor(database: Database.Database, sharesSnapshots: boolean) {
    this.#database = database
    this.#sharesSnapshots = sharesSnapshots
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.execute(query)
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    try {
      if (this.#sharesSnapshots && !this.#isInTransaction && !this.#hasSnapshot) this.#beginSnapshot()
      const statement = this.#prepare(sql)
      const values = parameters.map(bindable)
      if (statement.reader) return { rows: statement.all(values) as R[] }
      const { changes, lastInsertRowid } = statement.run(values)
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
    } catch (error) {
      throw translate(error)
    }
  }

  rowsOf<Row>(query: CompiledQuery<Row>, key?: string): readonly Row[] {
    if (key === undefined || !this.#sharesSnapshots) return this.execute<Row>(query).rows
    this.#expectSnapshot()
    const known = this.#remembered.get(query.sql, key)
    if (known) return known as readonly Row[]
    const { rows } = this.execute<Row>(query)
    this.#remembered.set(query.sql, key, rows)
    return rows
  }

  #expectSnapshot() {
    try {
      if (!this.#hasSnapshot) this.#beginSnapshot()
    } catch (error) {
      throw translate(error)
    }
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator, and nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('queries are not streamed')
  }

  begin() {
    this.endSnapshot()
    this.#isInTransaction = true
    this.#database.exec('BEGIN')
  }

  end(sql: 'COMMIT' | 'ROLLBACK') {
    this.#isInTransaction = false
    this.#database.exec(sql)
  }

  /** Taking the lock of a snapshot and giving it back takes longer than most queries do: once a turn is enough. */
  #beginSnapshot() {
    this.#prepare('BEGIN').run()
    try {
      // The version changes when any other connection, of this process or another, commits something.
      const [version] = this.#prepare('PRAGMA data_version').raw().get() as [number]
      this.#remembered.expectVersion(version)
    } catch (error) {
      if (this.#database.inTransaction) this.#prepare('ROLLBACK').run()
      throw error
    }
    this.#hasSnapshot = true
    setImmediate(() => this.endSnapshot())
  }

  endSnapshot() {
    if (!this.#hasSnapshot) return
    this.#hasSnapshot = false
    this.#prepare('COMMIT').run()
  }

  close() {
    this.#hasSnapshot = false
    this.#database.close()
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql)
    if (known) return known
    // Every text comes from the code, in a bounded number of shapes; the bound is for the shapes nobody thought of.
    if (this.#statements.size >= 1000) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** A parameter as SQLite takes it, which has no booleans. */
export function bindable(value: unknown) {
  return typeof value === 'boolean' ? Number(value) : value
}

/** What lasts until somebody mends the disk; what else the lock or the file is to blame for. Every other error is a fault of the program. */
const BROKEN = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PROTOCOL)/

/** An error of SQLite in the store's own words. */
export function translate(error: unknown) {
  return error instanceof Database.SqliteError ? errorOf(error.code, error.message, error) : error
}

/** The same for an error of which only this is known. */
export function errorOf(code: string, message: string, cause?: Error): Error {
  if (BROKEN.test(code)) return new StoreBroken(`${code}: ${message}`, { cause })
  if (UNAVAILABLE.test(code)) return new StoreUnavailable(`${code}: ${message}`, { cause })
  return cause ?? new Error(`${code}: ${message}`)
}
