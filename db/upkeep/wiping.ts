import type { DatabaseSettings } from '../engine/open.ts'
import { wipeSqlite } from './wiping-sqlite.ts'

/**
 * Wipes deleted values from the database files and frees their space. If this is not possible now, returns the reasons as
 * sentences.
 */
export async function wipe(settings: DatabaseSettings, file: () => string): Promise<string | undefined> {
  const { database, databaseTls: tls, databaseCaFile: caFile } = settings
  if (database === undefined) return wipeSqlite(file())
  const { wipePostgres } = await import('./wiping-postgres.ts')
  return wipePostgres(database, { tls, caFile })
}
