import type Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { migrations } from '../../migrations/sqlite/index.ts'
import { type Db, StoreRefused } from '../../store.ts'

/** "GRST", the application id in the file header, which identifies the file as a Graphstead database. */
export const APPLICATION_ID = 0x47525354

/** The tables that Litestream adds to a file that it replicates, with their SQL. They contain nothing of Graphstead's. */
export const LITESTREAM: Record<string, string> = {
  _litestream_seq: 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)',
  _litestream_lock: 'CREATE TABLE _litestream_lock (id INTEGER)'
}

/**
 * Inspects the file without changing it, in a single transaction because another process may be creating the file. Returns
 * whether the file is new. Throws StoreRefused if it belongs to another program.
 */
export function inspect(connection: Database.Database, file: string): boolean {
  return connection.transaction(() => isNewFile(connection, file))()
}

function isNewFile(connection: Database.Database, file: string) {
  const read = (name: string) => connection.pragma(name, { simple: true }) as number
  if (read('application_id') === APPLICATION_ID) {
    refuseNewer(read('user_version'), file)
    return false
  }
  const objects = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()
  if (objects !== 0 || read('application_id') !== 0 || read('user_version') !== 0) {
    throw new StoreRefused(`${file} belongs to another program. Graphstead has not changed it.`)
  }
  return true
}

function refuseNewer(version: number, file: string) {
  if (version > migrations.length) {
    throw new StoreRefused(
      `${file} was written by a newer version of Graphstead (schema ${version}; this version supports up to ${migrations.length}). Start the newer version instead.`
    )
  }
}

/** Brings the schema up to date. The caller must hold the write lock, because another process may be migrating too. */
export async function migrate(connection: Database.Database, db: Db, file: string, isNew: boolean) {
  const version = connection.pragma('user_version', { simple: true }) as number
  refuseNewer(version, file)
  if (version === migrations.length) return
  for (const migration of migrations.slice(version)) await migration(db as Kysely<unknown>)
  connection.pragma(`user_version = ${migrations.length}`)
  if (isNew) connection.pragma(`application_id = ${APPLICATION_ID}`)
}

/** Converts an error to a StoreRefused that explains why the file cannot be used. Returns unrelated errors unchanged. */
export function toRefusal(error: unknown, file: string) {
  if (error instanceof StoreRefused) return error
  const { code = '', message } = error as { code?: string; message: string }
  if (code === 'SQLITE_NOTADB') return new StoreRefused(`${file} is not a database. Graphstead has not changed it.`)
  if (code.startsWith('SQLITE_CORRUPT')) return new StoreRefused(`${file} is damaged: ${message}.`)
  if (code.startsWith('SQLITE_BUSY')) return new StoreRefused(`${file} is locked by another program.`)
  if (code.startsWith('SQLITE_') || message.includes('directory does not exist')) {
    return new StoreRefused(`${file} cannot be opened: ${message}.`)
  }
  return error
}
