import { readLog } from '../../db/audit/log.ts'
import { openStore } from '../../db/engine/open.ts'
import type { Store } from '../../db/store.ts'
import { checkAuditLog } from '../../db/upkeep/audit-check.ts'
import { copyStore, countCopied } from '../../db/upkeep/copy.ts'
import { describeFigures } from '../../db/upkeep/figures.ts'
import { databaseSettings } from '../../schemas/settings.ts'
import { optionalText } from '../../schemas/types.ts'
import type { Command } from '../command.ts'
import { BadSetting, readSettings } from '../settings/config.ts'
import { existingDatabase, prepareDataFolder } from '../settings/data-folder.ts'
import { usage } from '../settings/usage.ts'
import { startThread } from '../system/assets.ts'
import { progressLine } from '../system/progress.ts'
import { print, printError } from '../system/terminal.ts'

const { database: _, databaseReplica: __, ...connection } = databaseSettings
const settings = {
  from: optionalText({ minLength: 1, description: 'source: sqlite:FOLDER or a postgres:// URL' }),
  to: optionalText({ minLength: 1, description: 'target, in the same form; it must be empty' }),
  ...connection
}

export const help = usage(
  'copy --from STORE --to STORE',
  `Copies users, graphs with all versions, the trash and the audit trail to an empty store, keeping all ids. Then reads everything
back to compare it, and checks the audit log. Either everything or nothing is copied. Stop the servers first, because later
changes are not copied. The token key is a separate file: see docs/deploy.md.`,
  settings
)

/** Copies a store. */
const copy: Command = async (args) => {
  const { values, positionals } = readSettings(settings, args, process.env)
  if (positionals.length > 0) throw new BadSetting(`copy takes no arguments: ${positionals[0]}`)
  const { from, to, ...rest } = values
  if (from === undefined || to === undefined) throw new BadSetting('--from and --to are required')
  if (from === to) throw new BadSetting('--from and --to are the same')
  const open = async (name: string, store: string, prepare: typeof existingDatabase) => {
    const folder = /^sqlite:(.+)$/.exec(store)?.[1]
    if (folder !== undefined) return openStore({}, () => prepare(folder, `--${name}`), startThread)
    if (/^postgres(ql)?:\/\//.test(store)) return openStore({ ...rest, database: store }, () => '', startThread)
    throw new BadSetting(`--${name} must be sqlite:FOLDER or a postgres:// URL`)
  }

  const source = await open('from', from, existingDatabase)
  try {
    const target = await open('to', to, prepareDataFolder)
    try {
      const counts = Object.values(await countCopied(source.read))
      const rows = counts.reduce((total, count) => total + count, 0)
      const progress = progressLine('copying')
      const onProgress = (done: number, table: string) => progress.update(done, 2 * rows, table)
      await copyStore(source, target, onProgress).finally(() => progress.clear())
      print(`Copied and compared: ${describeFigures(await countCopied(target.read))}.`)
      const faults = await faultsOfLog(source)
      for (const fault of faults) printError(`graphstead copy: the source has a fault, and so does the copy: ${fault}`)
      return faults.length > 0 ? 1 : 0
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

export default copy

/** The maximum number of faults to report. */
const FAULTS = 20

/** Returns the faults of the audit log, as sentences. A copy would inherit the faults and sign them again. */
async function faultsOfLog(store: Store): Promise<string[]> {
  const faults: string[] = []
  const progress = progressLine('checking the audit log')
  const { size } = await readLog(store.read)
  await checkAuditLog(
    store.read,
    (fault) => faults.length < FAULTS && faults.push(fault),
    (leaves) => progress.update(leaves, size, 'leaves')
  )
    .catch((error: Error) => faults.push(`the audit log cannot be checked: ${error.message}`))
    .finally(() => progress.clear())
  return faults
}
