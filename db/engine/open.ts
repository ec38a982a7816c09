import { alone, type Peers } from '../../graph/jobs/peers.ts'
import type { StartThread } from '../../graph/jobs/thread.ts'
import type { Store } from '../store.ts'
import type { PostgresOptions } from './postgres/store.ts'
import { openSqlite } from './sqlite/store.ts'

/** Settings of the store. `database` is the URL of a PostgreSQL database. If it is not set, the store is an SQLite file. */
export interface DatabaseSettings {
  database?: string
  /** The URL of a standby of this database. */
  databaseReplica?: string
  databasePoolSize?: number
  databaseTls?: PostgresOptions['tls']
  databaseCaFile?: string
  databaseStatementTimeout?: number
}

/** How long a worker may hold the write lock before another one tries to get it, in milliseconds. */
const LONGEST_WRITE = 5000

/** Opens the store, creating or migrating it as needed. Throws StoreRefused if the store cannot be used. */
export async function openStore(
  settings: DatabaseSettings,
  file: () => string,
  startThread: StartThread,
  peers: Peers = alone
): Promise<Store> {
  const { database, databasePoolSize: poolSize, databaseTls: tls, databaseCaFile: caFile } = settings
  const { databaseStatementTimeout: statementTimeout, databaseReplica: replica } = settings
  if (database === undefined) {
    const lock = peers === alone ? undefined : () => peers.lock('write', LONGEST_WRITE)
    return openSqlite(file(), startThread, { lock })
  }
  // Load this on demand, so that programs that use SQLite start faster.
  const { openPostgres } = await import('./postgres/store.ts')
  return openPostgres(database, { replica, poolSize, tls, caFile, statementTimeout })
}
