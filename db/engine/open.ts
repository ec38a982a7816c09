import type { Store } from '../store.ts'
import type { PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { StartThread } from './start-thread.ts'

/** Where the records are, as settings say it: in the PostgreSQL that the URL names, or where there is none in a file. */
export interface DatabaseSettings {
  database?: string
  databasePoolSize?: number
  databaseTls?: PostgresOptions['tls']
  databaseCaFile?: string
  databaseStatementTimeout?: number
  databaseLockTimeout?: number
}

/** Opens the store, creating or migrating it as needed. Throws StoreRefused where it cannot serve. */
export async function openStore(
  settings: DatabaseSettings,
  file: () => string,
  startThread: StartThread
): Promise<Store> {
  const { database, databasePoolSize: poolSize, databaseTls: tls, databaseCaFile: caFile } = settings
  const { databaseStatementTimeout: statementTimeout, databaseLockTimeout: lockTimeout } = settings
  if (database === undefined) return openSqlite(file(), startThread)
  // Nobody else has to wait for it to be loaded.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(database, { poolSize, tls, caFile, statementTimeout, lockTimeout })
}
