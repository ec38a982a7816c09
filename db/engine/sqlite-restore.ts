import { chown, link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { system } from '../actors.ts'
import { recordEvent } from '../audits.ts'
import { endAllSessions } from '../sessions.ts'
import { COUNTED, type LastIds, StoreRefused } from '../store.ts'
import { openSqlite } from './sqlite.ts'
import { backUp, type OnProgress, sync } from './sqlite-backup.ts'
import type { Soundness } from './sqlite-check.ts'
import type { StartThread } from './start-thread.ts'

/** What was restored, and where the database lies that it took the place of. */
export interface Restoration {
  soundness: Soundness
  kept: string | undefined
}

/**
 * Puts a backup in the place of the database, which stays beside it under another name. The backup is looked through
 * first. Everybody has to log in again, and ids go on after those of the old database, so that none means something else
 * now. Throws StoreRefused, also where a server is at the old database; nothing is changed then.
 */
export async function restore(
  backup: string,
  database: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<Restoration> {
  const part = `${database}.${process.pid}.part`
  try {
    // As a copy, since it may have a log beside it.
    const soundness = await backUp(backup, part, startThread, onProgress)
    const old = await stopUsing(database)
    const store = await openSqlite(part, startThread)
    try {
      await store.write(async (trx) => {
        await endAllSessions(trx)
        const ids = await store.lastIds(trx)
        await store.setLastIds(trx, laterOf(ids, old.lastIds))
        await recordEvent(trx, system, { type: 'STORE_RESTORED', data: { version: String(soundness.version) } })
      })
    } finally {
      await store.close()
    }
    await sync(part)
    await giveToOwnerOf(dirname(database), part)
    let kept: string | undefined
    if (old.isThere) {
      kept = `${database}.before-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
      await link(database, kept)
      // The log of a database that could not be put in order goes with it: it must not be taken for the new one's.
      await rename(`${database}-wal`, `${kept}-wal`).catch(ignoreMissing)
      await rm(`${database}-shm`, { force: true })
    }
    // At every moment there is a whole database in this place.
    await rename(part, database)
    await sync(dirname(database))
    return { soundness, kept }
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${part}${ending}`, { force: true })
  }
}

/**
 * Makes a single file of the old database, without a log beside it, which succeeds when nobody else has it open; and tells
 * what ids it has given out. What is no database any more is left as it is.
 */
async function stopUsing(file: string): Promise<{ isThere: boolean; lastIds: Partial<LastIds> }> {
  if (!(await stat(file).catch(() => undefined))) return { isThere: false, lastIds: {} }
  let old: Database.Database | undefined
  try {
    old = new Database(file, { fileMustExist: true, timeout: 0 })
    const rows = old.prepare('SELECT "name", "seq" FROM sqlite_sequence').all() as { name: string; seq: number }[]
    old.pragma('journal_mode = DELETE')
    return { isThere: true, lastIds: Object.fromEntries(rows.map(({ name, seq }) => [name, seq])) }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
      throw new StoreRefused(`${file} is in use: stop the server first.`)
    }
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code)) return { isThere: true, lastIds: {} }
    throw new StoreRefused(`${file} cannot be put aside: ${(error as Error).message}.`)
  } finally {
    old?.close()
  }
}

/** An administrator may restore for the user that the server runs as, who has to be able to write it. */
async function giveToOwnerOf(folder: string, file: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  await chown(file, uid, gid)
}

function ignoreMissing(error: { code?: string }) {
  if (error.code !== 'ENOENT') throw error
}

function laterOf(ids: LastIds, others: Partial<LastIds>): LastIds {
  return Object.fromEntries(COUNTED.map((table) => [table, Math.max(ids[table], others[table] ?? 0)])) as LastIds
}
