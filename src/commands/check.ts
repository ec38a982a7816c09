import { existsSync } from 'node:fs'
import { checkFile } from '../../db/upkeep/backup.ts'
import { contentsOf } from '../../db/upkeep/check.ts'
import { placeFaults } from '../../db/upkeep/file-location.ts'
import { fileSettings } from '../../schemas/settings.ts'
import type { Command } from '../command.ts'
import { BadSetting, readFileSettings } from '../settings/config.ts'
import { existingDatabase } from '../settings/data-folder.ts'
import { usage } from '../settings/usage.ts'
import { startThread } from '../system/assets.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError } from '../system/terminal.ts'

export const help = usage(
  'check [FILE]',
  `Checks the database or a backup without changing it: its pages, schema, references, content hashes and counts. For the
database, it also checks whether the files can be written, and whether a process still uses files that were removed or
replaced. A server may be running.`,
  fileSettings
)

/** Checks for faults. Returns 1 if it finds any. */
const check: Command = async (args) => {
  const { values, positionals } = readFileSettings(fileSettings, args, process.env)
  const [named, ...more] = positionals
  if (more.length > 0) throw new BadSetting(`check takes one file: ${more[0]}`)
  if (named !== undefined && !existsSync(named)) throw new BadSetting(`${named} does not exist`)
  const file = named ?? existingDatabase(values.data)
  const progress = progressLine('check')
  // A backup need not be writable.
  const place = named === undefined ? placeFaults(file) : []
  const soundness = await checkFile(file, startThread, progress.update)
    .catch((error: unknown) => {
      // Problems with the location may have caused the failure.
      for (const fault of place) printError(`  ${fault}`)
      throw error
    })
    .finally(() => progress.clear())
  const faults = [...place, ...soundness.faults]
  if (faults.length === 0) {
    print(`${file} is sound: ${contentsOf(soundness)}`)
    return 0
  }
  printError(`graphstead check: ${file} has faults:`)
  for (const fault of faults) printError(`  ${fault}`)
  return 1
}

export default check
