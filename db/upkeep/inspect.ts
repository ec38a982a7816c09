import type { DatabaseSettings } from '../engine/open.ts'
import { inspectSqlite } from './inspect-sqlite.ts'
import type { StoreState } from './store-state.ts'

/**
 * Inspects a store without changing, migrating or locking it. Returns undefined if the file does not exist. Throws StoreRefused
 * if the store cannot be used.
 */
export async function inspectStore(settings: DatabaseSettings, file: string): Promise<StoreState | undefined> {
  const { database, databasePoolSize: poolSize, databaseTls: tls, databaseCaFile: caFile } = settings
  if (database === undefined) return inspectSqlite(file)
  const { inspectPostgres } = await import('./inspect-postgres.ts')
  return inspectPostgres(database, { poolSize, tls, caFile })
}

/**
 * Inspects the replica of the store. Returns the number of bytes of the log that it lacks, or undefined if no replica is set.
 * Throws StoreRefused if the replica cannot be used.
 */
export async function inspectReplica(settings: DatabaseSettings): Promise<number | undefined> {
  const { database, databaseReplica: replica, databaseTls: tls, databaseCaFile: caFile } = settings
  if (database === undefined || replica === undefined) return undefined
  const postgres = await import('./inspect-postgres.ts')
  return postgres.inspectReplica(database, replica, { tls, caFile })
}
