import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { BadSetting } from './config.ts'

/** Makes the data folder where there is none, for its owner alone, and returns the path of the database in it. */
export function prepareDataFolder(folder: string, setting = '--data') {
  // Whatever is made in it is for the owner alone too.
  process.umask(0o077)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new BadSetting(`${setting}: ${folder} cannot be made: ${(error as Error).message}`)
  }
  return databaseIn(folder)
}

/** The path of the database in a folder that has one. Throws BadSetting where it has none. */
export function existingDatabase(folder: string, setting = '--data') {
  const file = databaseIn(folder)
  if (!existsSync(file)) throw new BadSetting(`${setting}: there is no Graphstead database in ${folder}`)
  process.umask(0o077)
  return file
}

function databaseIn(folder: string) {
  return join(folder, 'graphstead.db')
}
