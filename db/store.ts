import type { Kysely } from 'kysely'
import { MAX_INTEGER } from '../schemas/types.ts'
import { type Tables, tablesWith } from './tables.ts'

/** A handle for queries: either the read side of a store or a transaction. */
export type Db = Kysely<Tables> & {
  /** Whether rows must be locked to remain unchanged. True in transactions if the engine runs several of them at once. */
  readonly locksRows?: boolean
}

/** A transaction handle. Functions that make changes require it, so that callers cannot pass the read side. */
export type Trx = Db & {
  readonly locksRows: boolean
  /** Waits until no other transaction holds this lock, then holds it until the transaction ends. */
  lock(kind: string, name: string): Promise<void>
  /**
   * Runs the task in this transaction, possibly after others of the same group. The task must neither depend on rows that later
   * transactions may change, nor fail unless the store does.
   */
  defer(task: () => Promise<unknown>): Promise<unknown>
}

/**
 * An atomic transaction. It must await only its own queries, because other transactions wait for it. After a conflict, it runs
 * again from the start.
 */
export type Transaction<T> = (trx: Trx) => Promise<T>

/** Tables whose triggers reject manual changes. */
export type GuardedTable = 'auditEvent' | 'auditDay' | 'graphCount' | 'usage'

/** Runs a transaction that may change these tables, as the owner of the database. See db/upkeep/amendments.ts. */
export type Amend = <T>(tables: readonly GuardedTable[], transaction: Transaction<T>) => Promise<T>

/** The store of all records. Code above `db/` does not depend on the engine. */
export interface Store {
  /** For queries whose duration does not depend on the amount of data. They see committed data and never wait for writers. */
  readonly read: Db
  /**
   * For queries that may scan a lot of data, so that they do not delay other queries. Rejects queries if too many are running.
   */
  readonly scan: Db
  /**
   * For scans whose result does not depend on access rights. A replica may run them, but only once it has applied everything
   * committed before the query.
   */
  readonly report: Db
  /**
   * Runs the transaction atomically. Resolves to its result once the commit is durable, or undoes everything and rejects with its
   * error.
   */
  write<T>(transaction: Transaction<T>): Promise<T>
  /** Whether rows become visible in id order, because transactions run one at a time. */
  readonly commitsInOrder: boolean
  /** Lists the tables of the database, without those of the engine and of programs that replicate it. */
  listTables(db: Db): Promise<string[]>
  /** Returns the last id assigned in each table. */
  lastIds(db: Db): Promise<LastIds>
  /** Sets the last assigned ids. New ids continue from there. */
  setLastIds(trx: Trx, ids: LastIds): Promise<void>
  /** The number of waiting transactions. */
  readonly waiting: number
  /** Called after each commit, with the number of transactions and the duration in milliseconds. */
  onCommit: ((transactions: number, milliseconds: number) => void) | undefined
  /** Called for each transaction that fails because the store is not writable. */
  onBroken: ((error: StoreBroken) => void) | undefined
  /** Whether the replica runs the queries of `report`. Undefined without a replica. */
  readonly usesReplica: boolean | undefined
  /** Called with the error when `report` moves to the primary because the replica is unusable, and with undefined when it returns. */
  onReplica: ((fault: Error | undefined) => void) | undefined
  /** Checks the files. Returns why the store is not writable, or undefined if it is. */
  fault(): string | undefined
  /** Returns sizes in bytes: `database`, and `log` if the write-ahead log is a separate file. */
  sizes(): Promise<{ database: number; log?: number }>
  /** Commits queued transactions, then closes the files or connections. Rejects later transactions. */
  close(): Promise<void>
}

/** Tables with sequential ids that are never reused. */
export const COUNTED = tablesWith({ countsIds: true })

/** The last assigned id of each of these tables, or 0. */
export type LastIds = Record<(typeof COUNTED)[number], number>

/** The default maximum number of waiting transactions. */
export const WRITES_WAITING = 1000

/** The maximum number of expired rows to remove per transaction. It is limited because requests wait for the transaction. */
export const REMOVED_AT_ONCE = 500

/** The read side of a store, for fast queries, for scans and for reports. */
export type Reader = Pick<Store, 'read' | 'scan' | 'report'>

/** Thrown if the store cannot be opened until an operator fixes the cause. The message is a complete sentence for users. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}

/**
 * Thrown if the store is temporarily unavailable, for example because it is full, locked, read-only or closed. Nothing was
 * changed.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** Returns the error for any attempt to use a closed store. */
export function storeClosed(): StoreUnavailable {
  return new StoreUnavailable('the store is closed')
}

/** A StoreUnavailable that persists until an operator fixes the cause. No transaction can write anything. */
export class StoreBroken extends StoreUnavailable {
  override name = 'StoreBroken'
}

/** Thrown if the store is overloaded. Nothing was changed, and the client may retry. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/**
 * Thrown if another transaction has changed a row that this one has read. The store retries the transaction, so its callers
 * never see this error.
 */
export class StoreConflict extends Error {
  override name = 'StoreConflict'
}

/** Thrown if the connection breaks during a commit. The commit may or may not have succeeded. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}

/** The largest id. Larger numbers lose precision. */
export const MAX_ID = MAX_INTEGER

/** Returns the id of an inserted row. */
export function expectId(row: { id: number } | undefined): number {
  if (row === undefined) throw new Error('the statement returned no row')
  return row.id
}

/**
 * Checks that a statement has affected its row. Throws StoreConflict if the row was removed or changed by another transaction.
 */
export function expectOne(rows: readonly unknown[]) {
  if (rows.length !== 1) throw new StoreConflict('a row has changed since the transaction read it')
}
