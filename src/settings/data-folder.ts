import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../system/platform.ts'
import { printError } from '../system/terminal.ts'
import { BadSetting } from './config.ts'

/** Thrown if the folder exists but cannot be used. The message tells the operator how to fix the problem. */
export class DataFolderRefused extends Error {
  override name = 'DataFolderRefused'
}

/**
 * Creates the data folder if it does not exist, so that only its owner can access it. Returns the path of the database in the
 * folder.
 */
export function prepareDataFolder(folder: string, setting = '--data') {
  // Make new files private to their owner as well.
  process.umask(0o077)
  try {
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (created !== undefined && !makePrivate(folder)) {
      printError(`${folder} may be readable by other users: restrict it with icacls, see docs/install-windows.md.`)
    }
  } catch (error) {
    if (isFile(folder)) throw new BadSetting(`${setting}: ${folder} is a file, not a folder`)
    throw new BadSetting(`${setting}: ${folder} cannot be created: ${(error as Error).message}`)
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EROFS' ? 'its disk is read-only' : 'it belongs to another user, or is read-only'
    throw new DataFolderRefused(`The data folder ${folder} cannot be written to: ${reason} (${code}).`)
  }
  return databaseIn(folder)
}

function isFile(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Returns the path of the database in the folder, and makes new files private to their owner. Throws BadSetting if there is no
 * database.
 */
export function existingDatabase(folder: string, setting = '--data') {
  const file = databaseIn(folder)
  if (!existsSync(file)) throw new BadSetting(`${setting}: there is no Graphstead database in ${folder}`)
  process.umask(0o077)
  return file
}

/** Returns the path of the database in the folder. */
export function databaseIn(folder: string): string {
  return join(folder, 'graphstead.db')
}

/** Returns the default folder for the server's automatic backups. */
export function backupFolderIn(folder: string): string {
  return join(folder, 'backups')
}
