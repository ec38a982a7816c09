import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { currentRequester, FairQueue, type Holder } from '../../../graph/jobs/shares.ts'
import { type Db, StoreBroken, StoreBusy, type Transaction, type Trx } from '../../store.ts'
import { notify } from '../notify.ts'
import { translate } from './errors.ts'
import type { SqliteFiles } from './files.ts'

export interface CommitLimits {
  /** The maximum number of transactions that may wait for their commit. Any beyond this limit are rejected. */
  queueLimit: number
  /** The maximum number of transactions per commit. */
  groupSize: number
  /** How long another process may hold the write lock before a transaction gives up, in milliseconds. */
  lockTimeout: number
  /** Waits until no other worker of the server holds the write lock; see Peers.lock. */
  lock?: (() => Promise<() => void>) | undefined
}

/**
 * How long a group may run before it accepts no more transactions, in milliseconds. The event loop is blocked for the whole
 * group.
 */
const WORK = 10

/** Callbacks of the store. */
interface Listener {
  /** Called right before each commit. */
  beforeCommit(): void
  /** Called after each commit, with the number of transactions and the duration in milliseconds. */
  onCommit(transactions: number, milliseconds: number): void
  onBroken(error: StoreBroken): void
}

/** A transaction that is waiting to be committed, the requester it is charged to, and the callbacks of its promise. */
interface Entry {
  holder: Holder
  transaction: Transaction<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Commits transactions in groups. The transactions of a group run sequentially, each in a savepoint, and share a single sync to
 * disk.
 */
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
  readonly #queue = new FairQueue<Entry>()
  /** The deferred tasks of the group. FTS5 writes its pending words to disk at each savepoint, so they are added after the last. */
  #deferred: (() => Promise<unknown>)[] = []
  #flushing: Promise<void> | undefined

  /** `db` is the connection's handle. */
  constructor(connection: Database.Database, db: Db, files: SqliteFiles, limits: CommitLimits, listener: Listener) {
    this.#connection = connection
    this.#writer = Object.assign(db, {
      // Transactions run one at a time, so there is no need to lock rows.
      locksRows: false,
      lock: async () => {},
      defer: async (task: () => Promise<unknown>) => void this.#deferred.push(task)
    })
    this.#files = files
    this.#limits = limits
    this.#listener = listener
    this.#savepoint = connection.prepare('SAVEPOINT step')
    this.#release = connection.prepare('RELEASE step')
    this.#commitNow = connection.prepare('COMMIT')
  }

  /** The number of waiting transactions. */
  get waiting() {
    return this.#queue.size
  }

  /** Queues the transaction. See Store.write. */
  add<T>(transaction: Transaction<T>): Promise<T> {
    const { holder } = currentRequester()
    const { queueLimit } = this.#limits
    if (this.#queue.size >= queueLimit) {
      const busy = new StoreBusy(`${queueLimit} writes are waiting for the disk`)
      const dropped = this.#queue.dropOfMost(holder, false)
      if (!dropped) return Promise.reject(busy)
      dropped.reject(busy)
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.add(holder, { holder, transaction, resolve: resolve as (result: unknown) => void, reject })
      this.#flushing ??= this.#flush()
    })
  }

  /** Resolves when all queued transactions are settled. */
  async drain() {
    await this.#flushing
  }

  /** Commits queued transactions, one group at a time, until the queue is empty. */
  async #flush() {
    while (this.#queue.size > 0) {
      await this.#gather()
      const settle = await this.#commit()
      settle()
    }
    this.#flushing = undefined
  }

  /**
   * Waits for the group to form. Transactions that arrive during this turn of the event loop join it. If there are several,
   * keeps waiting while each turn brings more, but no longer than the last commit took.
   */
  async #gather() {
    const deadline = performance.now() + this.#commitTime
    let before = 0
    do {
      before = this.#queue.size
      await new Promise((resolve) => setImmediate(resolve))
    } while (
      this.#queue.size > Math.max(before, 1) &&
      this.#queue.size < this.#limits.groupSize &&
      performance.now() < deadline
    )
  }

  /**
   * Runs a group of transactions in one SQLite transaction, sharing the time fairly between requesters. Returns a function that
   * settles them all. If the commit fails, rejects them all.
   */
  async #commit(): Promise<() => void> {
    const connection = this.#connection
    const group: Entry[] = []
    const release = await this.#limits.lock?.()
    this.#deferred = []
    try {
      await begin(connection, this.#limits.lockTimeout)
      const settlements: (() => void)[] = []
      const begun = performance.now()
      for (let now = begun; now - begun < WORK && group.length < this.#limits.groupSize; ) {
        const entry = this.#queue.take()
        if (!entry) break
        group.push(entry)
        settlements.push(await this.#run(entry))
        const before = now
        now = performance.now()
        this.#queue.charge(entry.holder, now - before)
      }
      for (const task of this.#deferred) await task()
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
      // If the write lock was not acquired, no transaction has run. All of them have waited for the lock, so reject them all.
      if (group.length === 0) group.push(...this.#queue.clear())
      return () => {
        for (const entry of group) entry.reject(reason)
      }
    } finally {
      release?.()
    }
  }

  /**
   * Throws StoreBroken if the files were removed or replaced, because commits to them would disappear when this process ends.
   * If only the log was removed, first saves its acknowledged commits to the database.
   */
  #expectFiles() {
    const fault = this.#files.fault()
    if (fault === undefined) return
    rollBack(this.#connection)
    if (this.#files.hasLostLog()) this.#connection.pragma('wal_checkpoint(PASSIVE)')
    throw new StoreBroken(fault)
  }

  /**
   * Runs a transaction in its own savepoint, so that a failure undoes nothing else. Returns a function that settles its
   * promise.
   */
  async #run({ transaction, resolve, reject }: Entry): Promise<() => void> {
    const connection = this.#connection
    const deferred = this.#deferred.length
    this.#savepoint.run()
    try {
      const result = await transaction(this.#writer)
      this.#release.run()
      return () => resolve(result)
    } catch (error) {
      // After a full disk or an I/O error, SQLite rolls back the entire transaction, including the rest of the group's work.
      if (!connection.inTransaction) throw error
      connection.exec('ROLLBACK TO step')
      this.#deferred.length = deferred
      this.#release.run()
      if (error instanceof StoreBroken) notify(() => this.#listener.onBroken(error))
      return () => reject(error)
    }
  }
}

/** Acquires the write lock. While another process holds the lock, waits without blocking the event loop. */
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

/** Rolls back an open transaction. If that fails, the next `begin` tries again and throws if it cannot begin. */
function rollBack(connection: Database.Database) {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {}
}
