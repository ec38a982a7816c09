import { rmSync } from 'node:fs'
import { chown, link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { system } from '../actors.ts'
import { recordEvent } from '../audits.ts'
import { endAllSessions } from '../sessions.ts'
import { COUNTED, type LastIds, StoreRefused } from '../store.ts'
import { openSqlite } from './sqlite.ts'
import type { Soundness } from './sqlite-check.ts'
import type { StartThread } from './start-thread.ts'

/** How far a copy is: written or looked through, of so many steps. */
export type OnProgress = (done: number, total: number, at: string) => void

/** What the thread is asked for: a copy of one file in another, and a look at every part of it; or only the look. */
export interface BackupTask {
  from?: string
  to: string
}

export type BackupMessage =
  | { kind: 'progress'; done: number; total: number; at: string }
  | { kind: 'checked'; soundness: Soundness }
  | { kind: 'refused'; message: string }

/** How often to look how far a copy is, and to have the disk take what is there of it, in milliseconds. */
const INTERVAL = 50

/**
 * Writes a copy of the database, as it is at one moment, and reads it again before it gets its name: there is a whole and
 * sound copy at the end, or none. Others read and write meanwhile, also from other processes. Replaces what has the name.
 * Throws StoreRefused.
 */
export async function backUp(
  from: string,
  to: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<Soundness> {
  if (await isSame(from, to)) throw new StoreRefused(`${to} is the database itself.`)
  const part = `${to}.${process.pid}.part`
  await rm(part, { force: true })
  // Also where the process is ended meanwhile.
  const drop = () => rmSync(part, { force: true })
  process.once('exit', drop)
  try {
    const soundness = await inThread({ from, to: part }, startThread, onProgress)
    if (soundness.faults.length > 0) {
      throw new StoreRefused(`The copy is not sound, and is not kept: ${soundness.faults.join('; ')}.`)
    }
    await sync(part)
    await rename(part, to)
    await sync(dirname(to))
    return soundness
  } catch (error) {
    throw error instanceof StoreRefused
      ? error
      : new StoreRefused(`${to} cannot be written: ${(error as Error).message}.`)
  } finally {
    process.off('exit', drop)
    await rm(part, { force: true })
    await rm(`${part}-journal`, { force: true })
  }
}

/** Whether both names lead to one file. */
async function isSame(...files: [string, string]) {
  const [one, other] = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}

/** What a look at every part of the file finds, see checkSqlite; beside the event loop. Throws StoreRefused. */
export function checkFile(
  file: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<Soundness> {
  return inThread({ to: file }, startThread, onProgress)
}

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

function inThread(task: BackupTask, startThread: StartThread, onProgress: OnProgress): Promise<Soundness> {
  return new Promise<Soundness>((resolve, reject) => {
    const worker = startThread('sqlite-backup-thread', import.meta.url, { workerData: task })
    const watch = task.from === undefined ? undefined : watchSize(task.from, task.to, onProgress)
    const settle = (finish: () => void) => {
      watch?.stop()
      finish()
    }
    worker.on('message', (message: BackupMessage) => {
      if (message.kind === 'progress') {
        watch?.stop()
        onProgress(message.done, message.total, message.at)
      } else if (message.kind === 'checked') settle(() => resolve(message.soundness))
      else settle(() => reject(new StoreRefused(message.message)))
    })
    worker.on('error', (error) => settle(() => reject(error)))
    worker.on('exit', () => settle(() => reject(new Error('the thread ended'))))
  })
}

/**
 * Looks how much of the copy is there, and has the disk take it piece by piece: all of it at once would keep the commits
 * of others waiting.
 */
function watchSize(from: string, to: string, onProgress: OnProgress) {
  let running = true
  async function watch() {
    const total = (await stat(from)).size
    while (running) {
      const { size } = await stat(to).catch(() => ({ size: 0 }))
      if (!running) return
      onProgress(Math.min(size, total), total, 'copying')
      await sync(to).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, INTERVAL))
    }
  }
  watch().catch(() => {})
  return {
    stop() {
      running = false
    }
  }
}

/** Returns when the disk has the file, or the names in the folder. */
async function sync(path: string) {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
