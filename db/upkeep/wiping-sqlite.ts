import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

/** How long other processes may use the file until this gives up, in milliseconds. */
const PATIENCE = 10_000

/** The pages of the index of words that one statement merges. */
const PAGES = 500

/**
 * Rewrites the file, so that it has nothing but what its tables have: neither deleted values nor free pages, nor a log with either. A
 * server may go on; its changes wait. Returns the reason if that cannot be had now, as a sentence.
 */
export async function wipeSqlite(file: string, patience = PATIENCE): Promise<string | undefined> {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { fileMustExist: true, timeout: patience })
    db.pragma('synchronous = FULL')
    db.pragma('trusted_schema = OFF')
    db.pragma('secure_delete = ON')
    for (const table of ['graphWords', 'graphWordPart']) mergeWords(db, table)
    // Pages that were split keep old values in their gaps: only new pages have none.
    db.exec('VACUUM')
    return await emptyLog(db, patience)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'Another process is changing the database.'
    if (code.startsWith('SQLITE_')) return `SQLite says: ${message}.`
    throw error
  } finally {
    db?.close()
  }
}

/** Merges the parts of an index of words: words that were removed stay in older parts until then. */
function mergeWords(db: Database.Database, table: string) {
  const merge = db.prepare(`INSERT INTO "${table}" ("${table}", "rank") VALUES ('merge', ?)`)
  const changes = db.prepare('SELECT total_changes()').pluck()
  // A negative number has all parts take part. The merge is complete once it changes nothing but its own row.
  for (let pages = -PAGES; ; pages = PAGES) {
    const before = changes.get() as number
    merge.run(pages)
    if ((changes.get() as number) - before < 2) return
  }
}

/** Moves the write-ahead log into the file, and empties it. Returns the reason if somebody reads it all the time. */
async function emptyLog(db: Database.Database, patience: number) {
  const deadline = performance.now() + patience
  db.pragma('busy_timeout = 0')
  for (;;) {
    const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (state?.busy === 0) return undefined
    if (performance.now() > deadline) return 'Another process is reading the database.'
    await sleep(20)
  }
}
