import type { DatabaseSettings } from '../engine/open.ts'
import { wipeSqlite } from './wiping-sqlite.ts'

/**
 * Removes values that the tables have no more from the files of the database, and gives their space back. Returns the reason if that
 * cannot be had now, as sentences for people.
 */
export async function wipe(settings: DatabaseSettings, file: () => string): Promise<string | undefined> {
  const { database, databaseTls: tls, databaseCaFile: caFile } = settings
  if (database === undefined) return wipeSqlite(file())
  const { wipePostgres } = await import('./wiping-postgres.ts')
  return wipePostgres(database, { tls, caFile })
}
