import { chown, link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { system } from '../actors.ts'
import { recordEvent } from '../audit/events.ts'
import { replaceFile, syncFile, syncFolder } from '../engine/disk.ts'
import { openSqlite } from '../engine/sqlite/store.ts'
import { keepLinks } from '../sharing/links.ts'
import { COUNTED, type LastIds, StoreRefused } from '../store.ts'
import { keepApiTokens } from '../users/api-tokens.ts'
import { endAllSessions } from '../users/sessions.ts'
import { backUp } from './backup.ts'
import type { OnProgress, Soundness } from './check.ts'

/** The result of a restore: the soundness of the backup, and the new name of the database that it replaced. */
export interface RestoreResult {
  soundness: Soundness
  kept: string | undefined
}

/**
 * Replaces the database with a backup, after checking the backup. Keeps the old database next to it under another name. All users
 * have to sign in again, invitations are revoked, and tokens and links that were revoked since the backup stay revoked. New ids
 * continue from those of the old database, so that no id is reused. Throws StoreRefused without changing anything, for example if
 * a server is using the old database.
 */
export async function restore(
  backup: string,
  database: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<RestoreResult> {
  const part = `${database}.${process.pid}.part`
  try {
    // The copy includes the commits in the backup's log.
    const soundness = await backUp(backup, part, startThread, onProgress)
    const old = await stopUsing(database)
    const store = await openSqlite(part, startThread)
    try {
      await store.write(async (trx) => {
        await endAllSessions(trx)
        // Some of them may have been used since the backup.
        await trx.deleteFrom('invitation').execute()
        if (old.tokens) await keepApiTokens(trx, old.tokens)
        if (old.links) await keepLinks(trx, old.links)
        const ids = await store.lastIds(trx)
        await store.setLastIds(trx, laterOf(ids, old.lastIds))
        await recordEvent(trx, system, { type: 'STORE_RESTORED', data: { version: String(soundness.version) } })
      })
    } finally {
      await store.close()
    }
    await syncFile(part)
    await giveToOwnerOf(dirname(database), part)
    let kept: string | undefined
    if (old.isThere) {
      kept = `${database}.before-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
      await link(database, kept)
      // If the old database is damaged, its log still exists. SQLite must not mistake it for the log of the new database.
      await rename(`${database}-wal`, `${kept}-wal`).catch(ignoreMissing)
      await rm(`${database}-shm`, { force: true })
    }
    // Renaming is atomic, so there is always a complete database at this path.
    await replaceFile(part, database)
    await syncFolder(dirname(database))
    return { soundness, kept }
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${part}${ending}`, { force: true })
  }
}

/** The database that the backup replaces. */
interface OldDatabase {
  isThere: boolean
  lastIds: Partial<LastIds>
  /** The hashes of its API tokens, or undefined if they are unknown. */
  tokens?: Set<string>
  /** The public ids of its links, or undefined if they are unknown. */
  links?: Set<string>
}

/**
 * Merges the old database's log into its file, which fails while another process has the file open. Returns the last assigned
 * ids, the hashes of its tokens, and its links. Leaves the file unchanged if it is no longer a database.
 */
async function stopUsing(file: string): Promise<OldDatabase> {
  if (!(await stat(file).catch(() => undefined))) return { isThere: false, lastIds: {} }
  let old: Database.Database | undefined
  try {
    old = new Database(file, { fileMustExist: true, timeout: 0 })
    const rows = old.prepare('SELECT "name", "seq" FROM sqlite_sequence').all() as { name: string; seq: number }[]
    const tokens = new Set(old.prepare('SELECT "hash" FROM "apiToken"').pluck().all() as string[])
    const links = new Set(old.prepare('SELECT "publicId" FROM "link"').pluck().all() as string[])
    old.pragma('journal_mode = DELETE')
    return { isThere: true, lastIds: Object.fromEntries(rows.map(({ name, seq }) => [name, seq])), tokens, links }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
      throw new StoreRefused(`${file} is in use. Stop the server first.`)
    }
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(code)) return { isThere: true, lastIds: {} }
    throw new StoreRefused(`${file} cannot be moved aside: ${(error as Error).message}.`)
  } finally {
    old?.close()
  }
}

/** Makes the folder's owner the owner of the file, because root may restore on behalf of the user that runs the server. */
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
