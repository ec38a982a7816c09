import { stat } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { backUp } from '../../db/engine/sqlite-backup.ts'
import { contentsOf } from '../../db/engine/sqlite-check.ts'
import { startThread } from '../assets.ts'
import type { Command } from '../command.ts'
import { BadSetting, fileSettings, readFileSettings } from '../config.ts'
import { existingDatabase } from '../data-folder.ts'
import { endInOrder } from '../interruption.ts'
import { progressLine } from '../progress.ts'
import { usage, wantsHelp } from '../usage.ts'

const settings = {
  force: Type.Boolean({ default: false, description: 'replace the file if there is one already' }),
  ...fileSettings
}

const help = usage(
  'backup FILE',
  `Writes a copy of everything to a file, as it is at one moment, also while a server runs and changes it, and reads the
copy again. The token key is not in it: see docs/backup.md.`,
  settings
)

/** Makes a backup. Ends with 1 where there is none at the end. */
const backup: Command = async (args) => {
  if (wantsHelp(args)) {
    console.log(help)
    return 0
  }
  const { values, positionals } = readFileSettings(settings, args, process.env)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new BadSetting('one file is to be named')
  const there = await stat(file).catch(() => undefined)
  if (file === '-' || there?.isDirectory()) throw new BadSetting(`${file} is no file`)
  const database = existingDatabase(values.data)
  if (there && !values.force) {
    console.error(`graphstead backup: ${file} exists; --force replaces it`)
    return 1
  }
  endInOrder()
  const progress = progressLine('backup', 1)
  const soundness = await backUp(database, file, startThread, (done, total, at) =>
    progress.update(done, at, total)
  ).finally(() => progress.clear())
  console.log(`${file}: ${contentsOf(soundness)}`)
  return 0
}

export default backup
