import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { APPLICATION_ID } from '../engine/sqlite/schema.ts'
import { migrations } from '../migrations/sqlite/index.ts'
import { StoreRefused } from '../store.ts'
import type { StoreState } from './store-state.ts'

/** Inspects the file. Returns undefined if it does not exist. Throws StoreRefused if it cannot be read or is not a store. */
export function inspectSqlite(file: string): StoreState | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats) return undefined
    return inspect(file, stats.size)
  } catch (error) {
    if (error instanceof StoreRefused) throw error
    const { errstr, message } = error as Error & { errstr?: string }
    throw new StoreRefused(`${file} cannot be read: ${errstr ?? message}.`)
  }
}

function inspect(file: string, size: number): StoreState {
  // Unlike better-sqlite3, the SQLite module of Node.js accepts URLs.
  const url = pathToFileURL(file)
  // If there is no log, no process has the file open. SQLite would then create a log that belongs to the inspecting user, unless
  // it is told that the file is immutable.
  const hasLog = statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined
  url.search = hasLog ? 'mode=ro' : 'immutable=1'
  const db = new DatabaseSync(url, { readOnly: true, timeout: 5000 })
  try {
    const get = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0]
    const objects = Number(get('SELECT count(*) FROM sqlite_schema'))
    const isOurs = get('PRAGMA application_id') === APPLICATION_ID
    if (!isOurs && objects > 0) throw new StoreRefused(`${file} belongs to another program.`)
    const event = isOurs ? get('SELECT "timestamp" FROM "auditEvent" ORDER BY "id" DESC LIMIT 1') : undefined
    return {
      engine: 'SQLite',
      schema: isOurs ? Number(get('PRAGMA user_version')) : 0,
      ownSchema: migrations.length,
      size,
      newestEvent: event === undefined ? undefined : String(event)
    }
  } finally {
    db.close()
  }
}
