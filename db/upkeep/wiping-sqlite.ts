import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

/** How long to wait for other processes that use the file, in milliseconds. */
const PATIENCE = 10_000

/** The number of pages of the word index that one statement merges. */
const PAGES = 500

/**
 * Rewrites the file so that it contains only the data of its tables, without deleted values, free pages, or a log that contains
 * either. A server may keep running, but its writes wait. If this is not possible now, returns the reason as a sentence.
 */
export async function wipeSqlite(file: string, patience = PATIENCE): Promise<string | undefined> {
  let db: Database.Database | undefined
  try {
    db = new Database(file, { fileMustExist: true, timeout: patience })
    db.pragma('synchronous = FULL')
    db.pragma('trusted_schema = OFF')
    db.pragma('secure_delete = ON')
    for (const table of ['graphWords', 'graphWordPart']) mergeWords(db, table)
    // Split pages still contain old values in their unused space, so write new pages.
    db.exec('VACUUM')
    return await emptyLog(db, patience)
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'Another process is changing the database.'
    if (code.startsWith('SQLITE_')) return `SQLite error: ${message}.`
    throw error
  } finally {
    db?.close()
  }
}

/** Merges the segments of a word index. Until they are merged, older segments still contain removed words. */
function mergeWords(db: Database.Database, table: string) {
  const merge = db.prepare(`INSERT INTO "${table}" ("${table}", "rank") VALUES ('merge', ?)`)
  const changes = db.prepare('SELECT total_changes()').pluck()
  // A negative number merges all segments. The merge is complete when a step changes nothing but the row that it inserts.
  for (let pages = -PAGES; ; pages = PAGES) {
    const before = changes.get() as number
    merge.run(pages)
    if ((changes.get() as number) - before < 2) return
  }
}

/**
 * Moves the write-ahead log into the file and truncates it. If the file is constantly being read, gives up and returns the
 * reason.
 */
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
