import Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from 'kysely'
import { StoreBroken, StoreUnavailable } from '../store.ts'
import type { ImmediateAdapter } from './prepared.ts'

/**
 * Kysely over better-sqlite3, in place of the dialect that comes with Kysely: statements are prepared once for
 * each connection (13 µs become 4), booleans bind, and several connections read beside one another.
 */
export function sqliteDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new Adapter(driver),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler()
  }
}

class Adapter extends SqliteAdapter implements ImmediateAdapter {
  readonly #driver: Driver

  constructor(driver: Driver) {
    super()
    this.#driver = driver
  }

  override get supportsMultipleConnections() {
    return true
  }

  executeNow(query: CompiledQuery, key?: string) {
    return this.#driver instanceof SqliteDriver ? this.#driver.executeNow(query, key) : undefined
  }
}

/** A pool of connections, opened as they are needed. */
export class SqliteDriver implements Driver {
  readonly #open: () => Database.Database
  readonly #limit: number
  readonly #sharesSnapshots: boolean
  readonly #all: SqliteConnection[] = []
  #free: SqliteConnection[] = []
  #waiting: { resolve(connection: SqliteConnection): void; reject(error: StoreUnavailable): void }[] = []
  #closed = false

  /** With `sharesSnapshots`, queries of one turn of the event loop see one snapshot. */
  constructor(open: () => Database.Database, limit: number, { sharesSnapshots = false } = {}) {
    this.#open = open
    this.#limit = limit
    this.#sharesSnapshots = sharesSnapshots
  }

  async init() {}

  async acquireConnection() {
    return (
      this.#acquireNow() ?? new Promise<SqliteConnection>((resolve, reject) => this.#waiting.push({ resolve, reject }))
    )
  }

  /** Runs the query on a connection that is free. */
  executeNow(query: CompiledQuery, key?: string): readonly unknown[] | undefined {
    const connection = this.#acquireNow()
    if (!connection) return undefined
    // Nobody else can want it meanwhile.
    this.#free.push(connection)
    if (key === undefined || !this.#sharesSnapshots) return connection.execute(query).rows
    return connection.recall(query, key)
  }

  #acquireNow() {
    if (this.#closed) throw new StoreUnavailable('the store is closed')
    const free = this.#free.pop()
    if (free || this.#all.length === this.#limit) return free
    const connection = new SqliteConnection(this.#opened(), this.#sharesSnapshots)
    this.#all.push(connection)
    return connection
  }

  #opened() {
    try {
      return this.#open()
    } catch (error) {
      throw translate(error)
    }
  }

  /** Queries from now on see what has been committed until now. */
  endSnapshots() {
    for (const connection of this.#all) connection.endSnapshot()
  }

  async releaseConnection(connection: DatabaseConnection) {
    const next = this.#waiting.shift()
    if (next) next.resolve(connection as SqliteConnection)
    else this.#free.push(connection as SqliteConnection)
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

  /** Idempotent; whatever is asked for later is refused. */
  async destroy() {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable('the store is closed'))
    for (const connection of this.#all) connection.close()
  }
}

/** The rows of so many queries are remembered. */
const REMEMBERED = 5000

class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #sharesSnapshots: boolean
  #hasSnapshot = false
  #isInTransaction = false
  /** Rows by SQL and key, as they are until something is committed. */
  readonly #remembered = new Map<string, Map<string, unknown[]>>()
  #rememberedCount = 0
  #dataVersion: unknown

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

  /** The rows of the query, which may be known from before. */
  recall(query: CompiledQuery, key: string): unknown[] {
    try {
      if (!this.#hasSnapshot) this.#beginSnapshot()
    } catch (error) {
      throw translate(error)
    }
    let known = this.#remembered.get(query.sql)
    const rows = known?.get(key)
    if (rows) return rows
    const found = this.execute(query).rows
    if (++this.#rememberedCount > REMEMBERED) this.#forget()
    known = this.#remembered.get(query.sql) ?? new Map<string, unknown[]>()
    this.#remembered.set(query.sql, known.set(key, found))
    return found
  }

  #forget() {
    this.#remembered.clear()
    this.#rememberedCount = 0
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
      // Another than before if any other connection, of this process or another, has committed something since.
      const [version] = this.#prepare('PRAGMA data_version').raw().get() as [number]
      if (version !== this.#dataVersion) this.#forget()
      this.#dataVersion = version
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
