import type { Kysely } from 'kysely'
import { MAX_INTEGER } from '../schemas/types.ts'
import { type Tables, tablesWith } from './tables.ts'

/** A handle for queries: the reading side of a store, or the handle of a transaction. */
export type Db = Kysely<Tables> & {
  /** Whether rows stay as they were read only if they are locked: in transactions of an engine that runs several at once. */
  readonly locksRows?: boolean
}

/** The handle of a transaction. Functions that change something ask for it, so that no caller passes the reading side. */
export type Trx = Db & {
  readonly locksRows: boolean
  /** Waits until no other transaction holds this lock, and holds it until the transaction ends. */
  lock(kind: string, name: string): Promise<void>
}

/**
 * A transaction: all or nothing. It awaits nothing but its own queries, since others wait for it. After a conflict with
 * another transaction it is run again from its beginning.
 */
export type Transaction<T> = (trx: Trx) => Promise<T>

/** Tables whose triggers refuse changes by hand. */
export type GuardedTable = 'auditEvent' | 'auditDay' | 'graphCount' | 'usage'

/** Runs a transaction that may change these tables, as owner of the database: see db/upkeep/amendments.ts. */
export type Amend = <T>(tables: readonly GuardedTable[], transaction: Transaction<T>) => Promise<T>

/** The store of all records. Code above `db/` does not know which engine is behind it. */
export interface Store {
  /** For queries whose time does not grow with the amount of data. They see commits, and never wait for a writer. */
  readonly read: Db
  /** For queries that may scan much: no other query waits for them. Refuses too many at once. */
  readonly scan: Db
  /** Runs the transaction atomically. Resolves with its result once that is durable; rejects with its error and leaves no trace. */
  write<T>(transaction: Transaction<T>): Promise<T>
  /** Runs the task, unless another process that shares the store is at such a task; tells whether it did. */
  alone(task: () => Promise<void>): Promise<boolean>
  /** Whether a row is there only after all rows of its table with lower ids: transactions run one after another. */
  readonly commitsInOrder: boolean
  /** Lists the tables of the database. */
  listTables(db: Db): Promise<string[]>
  /** Returns the last ids that were given out. */
  lastIds(db: Db): Promise<LastIds>
  /** Sets the last ids: new ones follow them. */
  setLastIds(trx: Trx, ids: LastIds): Promise<void>
  /** The number of transactions that wait for their turn. */
  readonly waiting: number
  /** The store calls this after each commit with its number of transactions, and its duration in milliseconds. */
  onCommit: ((transactions: number, milliseconds: number) => void) | undefined
  /** The store calls this for each transaction that failed because nothing can be written. */
  onBroken: ((error: StoreBroken) => void) | undefined
  /** Looks at the files. Returns the reason why nothing can be written, or undefined. */
  fault(): string | undefined
  /** Returns the size in bytes: of the `database`, and of the write-ahead `log` if that is a file of its own. */
  sizes(): Promise<{ database: number; log?: number }>
  /** Commits queued transactions and closes the files or connections. Later transactions are refused. */
  close(): Promise<void>
}

/** Tables whose ids are counted, and never given out twice. */
export const COUNTED = tablesWith({ countsIds: true })

/** The last id that each of these tables has given out, 0 if none. */
export type LastIds = Record<(typeof COUNTED)[number], number>

/** The most transactions that may wait, by default. */
export const WRITES_WAITING = 1000

/** The most rows that one transaction removes for their age: requests wait for transactions. */
export const REMOVED_AT_ONCE = 500

/** The reading side of a store: for quick queries, and for scans. */
export type Reader = Pick<Store, 'read' | 'scan'>

/** The store cannot be opened, for a reason that a person has to remove. The message is a sentence for people. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}

/** The store cannot serve at the moment: disk full, locked, read-only, closed. Nothing was changed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** Returns the error of everything that is asked of a store after its end. */
export function storeClosed(): StoreUnavailable {
  return new StoreUnavailable('the store is closed')
}

/** Like StoreUnavailable, but until a person removes the reason: no transaction can write anything. */
export class StoreBroken extends StoreUnavailable {
  override name = 'StoreBroken'
}

/** The store is overloaded. Nothing was changed; the client may try again. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/** Another transaction has changed a row that this one has read: it must be run again. Does not leave the store. */
export class StoreConflict extends Error {
  override name = 'StoreConflict'
}

/** The connection broke during a commit: it may have happened, or not. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}

/** The largest id. Larger numbers are not exact. */
export const MAX_ID = MAX_INTEGER

/** Returns the id of a new row. */
export function expectId(row: { id: number } | undefined): number {
  if (row === undefined) throw new Error('the statement has returned no row')
  return row.id
}

/** Expects that a statement has found its row. Throws StoreConflict if the row is gone, or was changed meanwhile. */
export function expectOne(rows: readonly unknown[]) {
  if (rows.length !== 1) throw new StoreConflict('a row has changed since the transaction read it')
}
