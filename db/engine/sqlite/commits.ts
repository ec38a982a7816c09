import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { StoreBroken, StoreBusy, type Transaction, type Trx } from '../../store.ts'
import { notify } from '../notify.ts'
import { translate } from './errors.ts'
import type { SqliteFiles } from './files.ts'

export interface CommitLimits {
  /** The most transactions that may wait for their commit; later ones are refused. */
  queueLimit: number
  /** The most transactions that share a commit. The event loop waits for the whole group. */
  groupSize: number
  /** How long another process may hold the write lock before a transaction gives up, in milliseconds. */
  lockTimeout: number
}

/** Callbacks of the store. */
interface Listener {
  /** The queue calls this right before each commit. */
  beforeCommit(): void
  /** The queue calls this after each commit with its number of transactions, and its duration in milliseconds. */
  onCommit(transactions: number, milliseconds: number): void
  onBroken(error: StoreBroken): void
}

/** A transaction that waits for its commit, and the promise of its result. */
interface Entry {
  transaction: Transaction<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Commits transactions in groups: they run one after another, each in a savepoint, and are settled after one sync of the disk. */
export class CommitQueue {
  readonly #connection: Database.Database
  readonly #writer: Trx
  readonly #files: SqliteFiles
  readonly #limits: CommitLimits
  readonly #listener: Listener
  readonly #savepoint: Database.Statement
  readonly #release: Database.Statement
  readonly #commitNow: Database.Statement
  /** The duration of the last commit, in milliseconds. */
  #commitTime = 0
  #queue: Entry[] = []
  #flushing: Promise<void> | undefined

  /** `writer` is the handle of transactions on the connection. */
  constructor(
    connection: Database.Database,
    writer: Trx,
    files: SqliteFiles,
    limits: CommitLimits,
    listener: Listener
  ) {
    this.#connection = connection
    this.#writer = writer
    this.#files = files
    this.#limits = limits
    this.#listener = listener
    this.#savepoint = connection.prepare('SAVEPOINT step')
    this.#release = connection.prepare('RELEASE step')
    this.#commitNow = connection.prepare('COMMIT')
  }

  /** The number of transactions that wait. */
  get waiting() {
    return this.#queue.length
  }

  /** Queues the transaction; see Store.write. */
  add<T>(transaction: Transaction<T>): Promise<T> {
    const { queueLimit } = this.#limits
    if (this.#queue.length >= queueLimit) return Promise.reject(new StoreBusy(`${queueLimit} writes wait for the disk`))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ transaction, resolve: resolve as (result: unknown) => void, reject })
      this.#flushing ??= this.#flush()
    })
  }

  /** Resolves when all queued transactions are settled. */
  async drain() {
    await this.#flushing
  }

  /** Commits queued transactions, group after group, until none is left. */
  async #flush() {
    while (this.#queue.length > 0) {
      await this.#gather()
      const group = this.#queue.splice(0, this.#limits.groupSize)
      const settle = await this.#commit(group)
      settle()
    }
    this.#flushing = undefined
  }

  /**
   * Transactions that arrive during this turn of the event loop join the group. If there are several, more may be on their way:
   * the group waits as long as each turn brings some, but no longer than the last commit took.
   */
  async #gather() {
    const deadline = performance.now() + this.#commitTime
    let before = 0
    do {
      before = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (
      this.#queue.length > Math.max(before, 1) &&
      this.#queue.length < this.#limits.groupSize &&
      performance.now() < deadline
    )
  }

  /** Runs the group in one transaction of SQLite. Returns a function that settles all of it: if the commit fails, all are refused. */
  async #commit(group: Entry[]): Promise<() => void> {
    const connection = this.#connection
    try {
      await begin(connection, this.#limits.lockTimeout)
      const settlements: (() => void)[] = []
      for (const entry of group) settlements.push(await this.#run(entry))
      this.#listener.beforeCommit()
      const start = performance.now()
      this.#expectFiles()
      this.#commitNow.run()
      this.#commitTime = performance.now() - start
      return () => {
        for (const settle of settlements) settle()
        notify(() => this.#listener.onCommit(group.length, this.#commitTime))
      }
    } catch (error) {
      rollBack(connection)
      const reason = translate(error)
      if (reason instanceof StoreBroken) notify(() => this.#listener.onBroken(reason))
      return () => {
        for (const entry of group) entry.reject(reason)
      }
    }
  }

  /**
   * Refuses commits to files that only this process can see, and that are lost when it ends. Throws StoreBroken if the files
   * are not those that were opened. The commits in a removed log have been acknowledged, so they go into the database first.
   */
  #expectFiles() {
    const fault = this.#files.fault()
    if (fault === undefined) return
    rollBack(this.#connection)
    if (this.#files.hasLostLog()) this.#connection.pragma('wal_checkpoint(PASSIVE)')
    throw new StoreBroken(fault)
  }

  /** Runs a transaction in its own savepoint: its failure undoes nothing else. Returns a function that settles it. */
  async #run({ transaction, resolve, reject }: Entry): Promise<() => void> {
    const connection = this.#connection
    this.#savepoint.run()
    try {
      const result = await transaction(this.#writer)
      this.#release.run()
      return () => resolve(result)
    } catch (error) {
      // A full disk or an I/O error makes SQLite end its transaction, and with it the work of the group.
      if (!connection.inTransaction) throw error
      connection.exec('ROLLBACK TO step')
      this.#release.run()
      if (error instanceof StoreBroken) notify(() => this.#listener.onBroken(error))
      return () => reject(error)
    }
  }
}

/** Takes the write lock at once, and waits for another process without blocking the event loop. */
export async function begin(connection: Database.Database, timeout: number) {
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

/** Ends an open transaction. If that fails, the next `begin` tries again, and throws where it cannot begin another. */
function rollBack(connection: Database.Database) {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {}
}
