import { existsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { restore } from '../../db/engine/sqlite-backup.ts'
import { contentsOf } from '../../db/engine/sqlite-check.ts'
import { startThread } from '../assets.ts'
import type { Command } from '../command.ts'
import { BadSetting, fileSettings, readFileSettings } from '../config.ts'
import { prepareDataFolder } from '../data-folder.ts'
import { endInOrder } from '../interruption.ts'
import { progressLine } from '../progress.ts'
import { usage, wantsHelp } from '../usage.ts'

const settings = {
  force: Type.Boolean({
    default: false,
    description: 'also where there is a database already, which is kept beside it'
  }),
  ...fileSettings
}

const help = usage(
  'restore FILE',
  `Puts a backup in the place of the database. Stop the server first. The backup is looked through before anything is
changed, and the database that was there is kept under another name. Everybody has to log in again.`,
  settings
)

/** Restores a backup. Ends with 1 where everything is as before. */
const restoreBackup: Command = async (args) => {
  if (wantsHelp(args)) {
    console.log(help)
    return 0
  }
  const { values, positionals } = readFileSettings(settings, args, process.env)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new BadSetting('one file is to be named')
  if (!existsSync(file)) throw new BadSetting(`there is no file ${file}`)
  const database = prepareDataFolder(values.data)
  if (existsSync(database) && !values.force) {
    console.error(`graphstead restore: ${database} exists; --force puts it aside`)
    return 1
  }
  endInOrder()
  const progress = progressLine('restore', 1)
  const onProgress = (done: number, total: number, at: string) => progress.update(done, at, total)
  const { soundness, kept } = await restore(file, database, startThread, onProgress).finally(() => progress.clear())
  console.log(`${database}: ${contentsOf(soundness)}`)
  if (kept !== undefined) console.log(`What was there before is ${kept}`)
  return 0
}

export default restoreBackup
