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
