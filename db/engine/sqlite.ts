import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { migrations } from '../migrations/sqlite/index.ts'
import {
  COUNTED,
  type Db,
  type LastIds,
  type Store,
  StoreBroken,
  StoreBusy,
  StoreRefused,
  StoreUnavailable,
  type Trx,
  type Unit,
  WRITES_WAITING
} from '../store.ts'
import type { Tables } from '../tables.ts'
import { SqliteDriver, sqliteDialect, sqliteHandle, translate } from './sqlite-dialect.ts'
import { SqliteFiles } from './sqlite-files.ts'
import { SqliteReaders } from './sqlite-readers.ts'
import type { StartThread } from './start-thread.ts'

/** "GRST" in the file's header: says whose file it is. */
const APPLICATION_ID = 0x47525354

/** How many reads may be under way at once; a read is under way for as long as its transaction lasts. */
const READERS = 4

export interface SqliteOptions {
  /** How many units may wait for their commit; those that come then are refused. */
  queueLimit?: number
  /** How many units share a commit at most. The event loop waits for the whole group, so it is bounded. */
  groupSize?: number
  /** How long another process may hold the write lock before a unit gives up, in milliseconds. */
  lockTimeout?: number
}

/**
 * Opens the database file, creating or migrating it as needed.
 * Throws StoreRefused where the file is not ours, too new, or cannot be read or written.
 */
export async function openSqlite(file: string, startThread: StartThread, options: SqliteOptions = {}): Promise<Store> {
  const { lockTimeout = 10_000, groupSize = 200, queueLimit = WRITES_WAITING } = options
  try {
    const connection = new Database(file)
    try {
      const isNew = inspect(connection, file)
      configure(connection)
      // WAL stays set in the file. Two processes may be creating it at once, hence after busy_timeout.
      connection.pragma('journal_mode = WAL')
      // From here on a lock is waited for without stopping the event loop, see begin().
      connection.pragma('busy_timeout = 0')
      const db = sqliteHandle(new SqliteDriver(() => connection, 1))
      // Units run one after another: what one has read stays as it is.
      const writer = Object.assign(db, { locksRows: false, lock: async () => {} })
      await begin(connection, lockTimeout)
      await migrate(connection, writer, file, isNew)
      connection.exec('COMMIT')
      return new SqliteStore(file, connection, writer, { startThread, lockTimeout, groupSize, queueLimit })
    } catch (error) {
      connection.close()
      throw error
    }
  } catch (error) {
    throw refusal(error, file)
  }
}

class SqliteStore implements Store {
  readonly read: Db
  readonly scan: Db
  readonly #scanners: SqliteReaders
  readonly #file: string
  readonly #files: SqliteFiles
  readonly #connection: Database.Database
  readonly #readers: SqliteDriver
  readonly #writer: Trx
  readonly #savepoint: Database.Statement
  readonly #release: Database.Statement
  readonly #commitNow: Database.Statement
  readonly #lockTimeout: number
  readonly #groupSize: number
  /** Of the last commit, in milliseconds. */
  #commitTime = 0
  readonly #queueLimit: number
  #queue: Entry[] = []
  #flushing: Promise<void> | undefined
  #closed = false
  onCommit: Store['onCommit']
  onBroken: Store['onBroken']

  constructor(
    file: string,
    connection: Database.Database,
    writer: Trx,
    { startThread, lockTimeout, groupSize, queueLimit }: Required<SqliteOptions> & { startThread: StartThread }
  ) {
    this.#file = file
    this.#files = new SqliteFiles(file)
    this.#lockTimeout = lockTimeout
    this.#groupSize = groupSize
    this.#queueLimit = queueLimit
    this.#connection = connection
    this.#writer = writer
    this.#savepoint = connection.prepare('SAVEPOINT unit')
    this.#release = connection.prepare('RELEASE unit')
    this.#commitNow = connection.prepare('COMMIT')
    this.#readers = new SqliteDriver(
      () => {
        const reader = configure(new Database(file, { readonly: true, fileMustExist: true }))
        // Pages come from the system's cache without being copied: of a million graphs few are asked for twice.
        reader.pragma('mmap_size = 2147418112')
        return reader
      },
      READERS,
      { sharesSnapshots: true }
    )
    this.read = sqliteHandle(this.#readers)
    this.#scanners = new SqliteReaders(file, startThread)
    this.scan = new Kysely<Tables>({ dialect: sqliteDialect(this.#scanners) })
  }

  write<T>(unit: Unit<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'))
    if (this.#queue.length >= this.#queueLimit) {
      return Promise.reject(new StoreBusy(`${this.#queueLimit} writes wait for the disk`))
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ unit, resolve: resolve as (result: unknown) => void, reject })
      this.#flushing ??= this.#flush()
    })
  }

  /** Processes that share a file do without: whatever runs here looks again inside of its unit. */
  async alone(task: () => Promise<void>) {
    await task()
    return true
  }

  async listTables(db: Db) {
    // Neither views, nor what SQLite keeps for itself, nor what a virtual table keeps.
    const { rows } = await sql<{ name: string }>`SELECT "name" FROM pragma_table_list
      WHERE "schema" = 'main' AND "type" IN ('table', 'virtual') AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'`.execute(
      db
    )
    return rows.map(({ name }) => name)
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
    return this.#queue.length
  }

  fault() {
    return this.#files.fault()
  }

  async sizes() {
    const [database, log] = await Promise.all(
      [this.#file, `${this.#file}-wal`].map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0
        )
      )
    )
    return { database: database ?? 0, log: log ?? 0 }
  }

  async close() {
    if (this.#closed) return
    this.#closed = true
    await this.#flushing
    await this.#readers.destroy()
    await this.#scanners.destroy()
    // Without `PRAGMA optimize`: a plan made for the few rows of yesterday would scan the many of tomorrow.
    this.#connection.close()
  }

  /** Commits what is queued, group after group, until nothing is left. */
  async #flush() {
    while (this.#queue.length > 0) {
      await this.#gather()
      const group = this.#queue.splice(0, this.#groupSize)
      const settle = await this.#commit(group)
      settle()
    }
    this.#flushing = undefined
  }

  /**
   * Whatever arrives while this turn of the event loop runs joins the group. Where there are several, more may be on
   * their way: it waits for them as long as each turn brings some, but no longer than the last commit took.
   */
  async #gather() {
    const deadline = performance.now() + this.#commitTime
    let before = 0
    do {
      before = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (
      this.#queue.length > Math.max(before, 1) &&
      this.#queue.length < this.#groupSize &&
      performance.now() < deadline
    )
  }

  /** Runs the group in one transaction and tells how to settle it: after the commit, or all refused where it failed. */
  async #commit(group: Entry[]): Promise<() => void> {
    const connection = this.#connection
    try {
      await begin(connection, this.#lockTimeout)
      const settlements: (() => void)[] = []
      for (const entry of group) settlements.push(await this.#run(entry))
      // What is answered after this has to be seen by whoever asks next.
      this.#readers.endSnapshots()
      const start = performance.now()
      this.#expectFiles()
      this.#commitNow.run()
      this.#commitTime = performance.now() - start
      return () => {
        for (const settle of settlements) settle()
        this.onCommit?.(group.length, this.#commitTime)
      }
    } catch (error) {
      rollBack(connection)
      const reason = translate(error)
      if (reason instanceof StoreBroken) this.onBroken?.(reason)
      return () => {
        for (const entry of group) entry.reject(reason)
      }
    }
  }

  /**
   * Nothing is acknowledged that only this process can see, and that goes with it. Throws StoreBroken where the files are not
   * those that were opened; what a removed log holds is put into the database first, since it has been acknowledged.
   */
  #expectFiles() {
    const fault = this.#files.fault()
    if (fault === undefined) return
    rollBack(this.#connection)
    if (this.#files.hasLostLog()) this.#connection.pragma('wal_checkpoint(PASSIVE)')
    throw new StoreBroken(fault)
  }

  /** One unit inside its own savepoint, so that its failure undoes nothing else. */
  async #run({ unit, resolve, reject }: Entry): Promise<() => void> {
    const connection = this.#connection
    this.#savepoint.run()
    try {
      const result = await unit(this.#writer)
      this.#release.run()
      return () => resolve(result)
    } catch (error) {
      // A full disk or an I/O error makes SQLite end the whole transaction: then nobody's work is there.
      if (!connection.inTransaction) throw error
      connection.exec('ROLLBACK TO unit')
      this.#release.run()
      if (error instanceof StoreBroken) this.onBroken?.(error)
      return () => reject(error)
    }
  }
}

interface Entry {
  unit: Unit<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Ends what is open, if it can be ended; where the disk does not let it, begin() tries again. */
function rollBack(connection: Database.Database) {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch (error) {
    if (!(translate(error) instanceof StoreUnavailable)) throw error
  }
}

/** Takes the write lock at once, and waits for another process without stopping the event loop. */
async function begin(connection: Database.Database, timeout: number) {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      rollBack(connection)
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      const isLocked = String((error as { code?: string }).code).startsWith('SQLITE_BUSY')
      if (!isLocked || performance.now() > deadline) throw error
      await sleep(5)
    }
  }
}

/** What has to be set anew at every open; none of it stays in the file. */
function configure(connection: Database.Database) {
  connection.pragma('busy_timeout = 10000')
  // A commit is on the disk before it is acknowledged. SQLite falls back to NORMAL on reopening.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('recursive_triggers = ON')
  connection.pragma('trusted_schema = OFF')
  connection.pragma('cache_size = -16000')
  connection.pragma('journal_size_limit = 67108864')
  return connection
}

/** Looks at the file without changing it. Returns whether it is new; throws StoreRefused where it is not ours. */
export function inspect(connection: Database.Database, file: string) {
  const read = (name: string) => connection.pragma(name, { simple: true }) as number
  if (read('application_id') === APPLICATION_ID) {
    refuseNewer(read('user_version'), file)
    return false
  }
  const objects = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (objects !== 0 || read('application_id') !== 0 || read('user_version') !== 0) {
    throw new StoreRefused(`${file} is a database of another program; Graphstead leaves it as it is.`)
  }
  return true
}

function refuseNewer(version: number, file: string) {
  if (version > migrations.length) {
    throw new StoreRefused(
      `${file} was written by a newer Graphstead (schema ${version}, this one knows ${migrations.length}); start that one instead.`
    )
  }
}

/** Brings the schema up to date. Stands behind the write lock, since another process may be at it too. */
async function migrate(connection: Database.Database, db: Db, file: string, isNew: boolean) {
  const version = connection.pragma('user_version', { simple: true }) as number
  refuseNewer(version, file)
  if (version === migrations.length) return
  for (const migration of migrations.slice(version)) await migration(db as Kysely<unknown>)
  connection.pragma(`user_version = ${migrations.length}`)
  if (isNew) connection.pragma(`application_id = ${APPLICATION_ID}`)
}

/** Why the file cannot be served, as a sentence for people; errors of another kind as they are. */
export function refusal(error: unknown, file: string) {
  if (error instanceof StoreRefused) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (code === 'SQLITE_NOTADB') return new StoreRefused(`${file} is not a database; Graphstead leaves it as it is.`)
  if (code.startsWith('SQLITE_CORRUPT')) return new StoreRefused(`${file} is damaged: ${message}.`)
  if (code.startsWith('SQLITE_BUSY')) return new StoreRefused(`${file} is locked by another program.`)
  if (code.startsWith('SQLITE_') || message.includes('directory does not exist')) {
    return new StoreRefused(`${file} cannot be opened: ${message}.`)
  }
  return error
}
