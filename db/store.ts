import type { Kysely } from 'kysely'
import { MAX_INTEGER } from '../schemas/types.ts'
import type { Immediate } from './engine/immediate.ts'
import { type Tables, tablesWith } from './tables.ts'

/** A handle for queries: the reading side of a store, or the handle of a unit. */
export type Db = Kysely<Tables> & {
  /** Whether rows stay as they were read only if they are locked: in units of an engine that runs several at once. */
  readonly locksRows?: boolean
  /** Answers prepared queries at once, where the engine can. */
  readonly immediate?: Immediate
}

/** The handle of a unit. Functions that change something ask for it, so that no caller passes the reading side. */
export type Trx = Db & {
  readonly locksRows: boolean
  /** Waits until no other unit holds this lock, and holds it until the unit ends. */
  lock(kind: string, name: string): Promise<void>
}

/**
 * A unit of work: all or nothing. It awaits nothing but its own queries, since others wait for it, and may be run
 * again from its beginning where others got in its way.
 */
export type Unit<T> = (trx: Trx) => Promise<T>

/** Where Graphstead keeps its records. One engine stands behind it, and nothing above `db/` knows which. */
export interface Store {
  /** Queries that see what is committed and never wait for a writer. For what takes as long however much there is. */
  readonly read: Db
  /** The same for queries that may have to look through much: nobody else waits for them. Refuses too many at once. */
  readonly scan: Db
  /** Runs the unit atomically; resolves with its result once that is durable, rejects with its error and no trace. */
  write<T>(unit: Unit<T>): Promise<T>
  /** Runs the task, unless another process that shares the store is at such a task; tells whether it did. */
  alone(task: () => Promise<void>): Promise<boolean>
  /** Lists the tables that there are, by what the engine knows of them, as the snapshot has them. */
  listTables(db: Db): Promise<string[]>
  /** The last ids that were given out, as the snapshot has them. */
  lastIds(db: Db): Promise<LastIds>
  /** Goes on after these ids, inside of a unit. */
  setLastIds(trx: Trx, ids: LastIds): Promise<void>
  /** How many units wait for their commit. */
  readonly waiting: number
  /** Is told of each commit: how many units it had, and how long it took in milliseconds. */
  onCommit: ((units: number, milliseconds: number) => void) | undefined
  /** Is told of each unit that failed since nothing can be written. */
  onBroken: ((error: StoreBroken) => void) | undefined
  /** Why nothing can be written, as far as a look at the files tells; undefined where nothing is wrong. */
  fault(): string | undefined
  /** How many bytes it takes: the `database`, and the write-ahead `log` where it has one of its own. */
  sizes(): Promise<{ database: number; log?: number }>
  /** Commits what is queued and lets go of the files. Units that come later are refused. */
  close(): Promise<void>
}

/** Tables whose ids are counted, and never given out twice. */
export const COUNTED = tablesWith({ countsIds: true })

/** The last id that each of these tables has given out, 0 where there is none. */
export type LastIds = Record<(typeof COUNTED)[number], number>

/** How many units may wait, unless the engine is told otherwise. */
export const WRITES_WAITING = 1000

/** Where to look something up: quickly, or thoroughly. */
export type Reader = Pick<Store, 'read' | 'scan'>

/** The store cannot be opened, for a reason that a person has to mend. The message is a sentence for them. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}

/** The store cannot serve at the moment: disk full, locked, read-only, closed. Nothing was changed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** The same, and until somebody mends it: nothing can be written, by nobody. */
export class StoreBroken extends StoreUnavailable {
  override name = 'StoreBroken'
}

/** The largest id that there may be: beyond it numbers are not exact. */
export const MAX_ID = MAX_INTEGER

/** The id that an engine has given out. Throws StoreBroken where it is none: somebody has used the others up. */
export function expectId(row: { id: number } | undefined): number {
  if (row === undefined || !(row.id <= MAX_ID)) throw new StoreBroken('there are no ids left')
  return row.id
}

/** The store has more to do than it will take on. Nothing was changed; a moment later it may be different. */
export class StoreBusy extends Error {
  override name = 'StoreBusy'
}

/** Others have changed meanwhile what a unit has read: it is to be run again. Does not leave the store. */
export class StoreConflict extends Error {
  override name = 'StoreConflict'
}

/** The connection broke while a unit was being committed: it may have been, or not. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}

/** Expects that a statement has found the one row that it was meant for. Throws StoreConflict where it has gone, or changed. */
export function expectOne(rows: readonly unknown[]) {
  if (rows.length !== 1) throw new StoreConflict('what was read has been changed meanwhile')
}
