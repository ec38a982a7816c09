import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// Files as every system takes them.

/** How often a rename is tried, and the pause between two tries, in milliseconds. */
const [TRIES, PAUSE] = [20, 25]

/**
 * Tells whether the error may pass by itself. On Windows a file cannot be renamed, removed or created while a virus scanner, an
 * index or another process has a file of this name open.
 */
export function isPassing(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
}

/** Renames a file to a name that another file may have, which it replaces. Tries again for as long as the error may pass. */
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

/** Syncs the content of a file to the disk. */
export async function syncFile(path: string) {
  // Windows syncs only files that may be written.
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
}

/** Syncs the names in a folder to the disk. Windows writes them with the files, and refuses to sync a folder. */
export async function syncFolder(path: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Does the same as syncFolder before it returns. */
export function syncFolderNow(path: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
