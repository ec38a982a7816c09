import { stat } from 'node:fs/promises'
import { Type } from '@sinclair/typebox'
import { backUp } from '../../db/upkeep/backup.ts'
import { contentsOf } from '../../db/upkeep/check.ts'
import { fileSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { BadSetting, readFileSettings } from '../settings/config.ts'
import { existingDatabase } from '../settings/data-folder.ts'
import { usage } from '../settings/usage.ts'
import { startThread } from '../system/assets.ts'
import { exitOnSignals } from '../system/interruption.ts'
import { nameFault } from '../system/platform.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError } from '../system/terminal.ts'

const settings = {
  force: Type.Boolean({ default: false, description: 'replace an existing file' }),
  ...fileSettings
}

export const help = usage(
  'backup FILE',
  `Writes a consistent copy of everything to a file, even while a server runs, and reads it back to verify it. The
copy does not contain the token key: see docs/backup.md.`,
  settings
)

/** Creates a backup. Returns 1 if it fails. */
const backup: Command = async (args) => {
  const { values, positionals } = readFileSettings(settings, args, process.env)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new BadSetting('name one file')
  const there = await stat(file).catch(() => undefined)
  if (file === '-' || there?.isDirectory()) throw new BadSetting(`${file} is not a file`)
  const fault = nameFault(file)
  if (fault) throw new BadSetting(`${file} cannot be written: ${fault}`)
  const database = existingDatabase(values.data)
  if (there && !values.force) {
    printError(`graphstead backup: ${file} already exists; replace it with --force`)
    return 1
  }
  exitOnSignals()
  const progress = progressLine('backup')
  const soundness = await backUp(database, file, startThread, progress.update).finally(() => progress.clear())
  print(`${file}: ${contentsOf(soundness)}`)
  return 0
}

export default backup
