import { backupTime, listBackups } from '../../db/upkeep/backup-names.ts'
import { millisecondsOf } from '../../schemas/quantities.ts'
import type { Settings } from '../../schemas/settings.ts'
import { backupFolderIn } from '../settings/data-folder.ts'
import { type Finding, findingsAbout, spanText } from './finding.ts'

const finding = findingsAbout('backup')

/** The age at which the last backup causes a warning if no interval is set, in milliseconds. */
const OLD = 7 * 24 * 60 * 60 * 1000

/** Examines the age of the server's most recent automatic backup. */
export async function examineBackups(config: Settings, now = Date.now()): Promise<Finding> {
  const { data, backups: folder = backupFolderIn(data), every, database } = config
  if (database !== undefined) {
    return finding('unknown', 'PostgreSQL has its own backup tools; this program cannot tell when they ran')
  }
  const newest = (await listBackups(folder)).at(-1)
  if (newest === undefined) {
    if (every !== undefined)
      return finding(
        'bad',
        `${folder} has no backups, despite --every ${every}; check that the server is running, and check its log`
      )
    return finding(
      'unknown',
      `${folder} has no backups, and this program cannot see other backups; use --every 6h to schedule backups`
    )
  }
  const age = Math.max(0, now - backupTime(newest))
  const says = `the newest backup in ${folder} is ${spanText(age)} old`
  if (every !== undefined && age > 2 * millisecondsOf(every)) {
    return finding('bad', `${says}, despite --every ${every}; check that the server is running, and check its log`)
  }
  if (every === undefined && age > OLD) return finding('warning', `${says}; make one, or set --every`)
  return finding('good', says)
}
