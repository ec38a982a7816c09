import type { DatabaseSettings } from '../engine/open.ts'
import { lookAtSqlite } from './inspect-sqlite.ts'
import type { StoreLook } from './store-state.ts'

/**
 * Looks at a store without changing, migrating or locking it. Returns undefined if there is no file. Throws StoreRefused if the
 * store cannot be used.
 */
export async function lookAtStore(settings: DatabaseSettings, file: string): Promise<StoreLook | undefined> {
  const { database, databaseTls: tls, databaseCaFile: caFile } = settings
  if (database === undefined) return lookAtSqlite(file)
  const { lookAtPostgres } = await import('./inspect-postgres.ts')
  return lookAtPostgres(database, { tls, caFile })
}
