import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// File operations that work the same on every operating system.

/** The maximum number of attempts to rename a file, and the pause between them, in milliseconds. */
const [TRIES, PAUSE] = [20, 25]

/**
 * Returns whether the error may be temporary. On Windows, a file cannot be renamed, removed or created while a virus scanner, an
 * indexer or another process has a file with that name open.
 */
export function isPassing(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
}

/** Renames a file, replacing any file that already has the new name. Retries while the error may be temporary. */
export async function replaceFile(from: string, to: string, { platform = process.platform, move = rename } = {}) {
  for (let tries = 1; ; tries++) {
    try {
      return await move(from, to)
    } catch (error) {
      if (tries === TRIES || !isPassing(error, platform)) throw error
      await sleep(PAUSE)
    }
  }
}

/** Flushes the content of a file to disk. */
export async function syncFile(path: string) {
  // Windows flushes only files that were opened for writing.
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
}

/**
 * Flushes the entries of a folder to disk. Windows flushes them together with the files, and does not allow flushing a folder.
 */
export async function syncFolder(path: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** The synchronous version of syncFolder. */
export function syncFolderNow(path: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
