import { backupTime, listBackups } from '../../db/upkeep/backup-names.ts'
import { millisecondsOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { backupFolderIn } from '../settings/data-folder.ts'
import { type Finding, findingsAbout, spanText } from './finding.ts'

const finding = findingsAbout('backup')

/** The age from which a backup triggers a warning if no interval is set, in milliseconds. */
const OLD = 7 * 24 * 60 * 60 * 1000

/** Examines the age of the server's most recent automatic backup. */
export async function examineBackups(config: Settings, now = Date.now()): Promise<Finding> {
  const { data, backups: folder = backupFolderIn(data), every, database } = config
  if (database !== undefined) {
    return finding('unknown', 'PostgreSQL is backed up by its own tools; this program does not know when')
  }
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) {
    if (every !== undefined)
      return finding('bad', `none is in ${folder}, with --every ${every}; is the server running? its log tells`)
    return finding('unknown', `none is in ${folder}, and this program does not know of others; --every 6h makes some`)
  }
  const age = Math.max(0, now - backupTime(newest))
  const says = `the newest in ${folder} is ${spanText(age)} old`
  if (every !== undefined && age > 2 * millisecondsOf(every)) {
    return finding('bad', `${says}, with --every ${every}; is the server running? its log tells`)
  }
  if (every === undefined && age > OLD) return finding('warning', `${says}; make one, or set --every`)
  return finding('good', says)
}
