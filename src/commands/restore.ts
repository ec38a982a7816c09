import { existsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { contentsOf } from '../../db/upkeep/check.ts'
import { restore } from '../../db/upkeep/restore.ts'
import { fileSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { BadSetting, readFileSettings } from '../settings/config.ts'
import { prepareDataFolder } from '../settings/data-folder.ts'
import { usage } from '../settings/usage.ts'
import { startThread } from '../system/assets.ts'
import { exitOnSignals } from '../system/interruption.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError } from '../system/terminal.ts'

const settings = {
  force: Type.Boolean({
    default: false,
    description: 'replace an existing database, and keep it under another name'
  }),
  ...fileSettings
}

export const help = usage(
  'restore FILE',
  `Replaces the database with a backup. Stop the server first. The command checks the backup before it changes anything, and
keeps the old database under another name. All users must sign in again.`,
  settings
)

/** Restores a backup. Returns 1 if nothing was changed. */
const restoreBackup: Command = async (args) => {
  const { values, positionals } = readFileSettings(settings, args, process.env)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new BadSetting('name one file')
  if (!existsSync(file)) throw new BadSetting(`${file} does not exist`)
  const database = prepareDataFolder(values.data)
  if (existsSync(database) && !values.force) {
    printError(`graphstead restore: ${database} already exists; replace it with --force`)
    return 1
  }
  exitOnSignals()
  const progress = progressLine('restore')
  const { soundness, kept } = await restore(file, database, startThread, progress.update).finally(() =>
    progress.clear()
  )
  print(`${database}: ${contentsOf(soundness)}`)
  if (kept !== undefined) print(`The old database is now ${kept}`)
  return 0
}

export default restoreBackup
