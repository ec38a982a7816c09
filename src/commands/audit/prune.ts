import { setTimeout as sleep } from 'node:timers/promises'
import { LeafGone } from '../../../db/audit/leaves.ts'
import { readLog } from '../../../db/audit/log.ts'
import { readSeenTime } from '../../../db/clock.ts'
import { type Store, StoreRefused } from '../../../db/store.ts'
import { amendmentsOf } from '../../../db/upkeep/amendments.ts'
import { pruneNext, pruningTime } from '../../../db/upkeep/audit-pruning.ts'
import { wipe } from '../../../db/upkeep/wiping.ts'
import { storeSettings } from '../../../schemas/settings.ts'
import { optionalInteger } from '../../../schemas/types.ts'
import type { Command } from '../../command.ts'
import { BadSetting, readSettings } from '../../settings/config.ts'
import { existingDatabase } from '../../settings/data-folder.ts'
import { usage } from '../../settings/usage.ts'
import { exitOnSignals } from '../../system/interruption.ts'
import { progressLine } from '../../system/progress.ts'
import { print, printError } from '../../system/terminal.ts'
import { withStore } from '../../with-store.ts'

const settings = {
  auditDays: optionalInteger({
    minimum: 30,
    maximum: 36_500,
    description: 'days to keep audit events, at least 30'
  }),
  ...storeSettings
}

export const help = usage(
  'audit prune --audit-days N',
  `Removes audit events that are older than --audit-days, then rewrites the database to free the space. The hashes of the events stay, so
earlier checkpoints and exports can still be verified. Events are removed in bundles of 256, oldest first, and an event records
what was removed. Days are counted back from now, or from the latest time that a server has trusted if that is earlier, so a wrong
clock removes nothing. Run it as the owner of the database; a server may be running.`,
  settings
)

/** The pause between transactions, in milliseconds, which leaves time for a running server. */
const TURN = 5

/** Removes old events. */
const prune: Command = async (args) => {
  const { values, positionals } = readSettings(settings, args, process.env)
  if (positionals.length > 0) throw new BadSetting(`audit prune takes no arguments: ${positionals[0]}`)
  const { auditDays: days } = values
  if (days === undefined) throw new BadSetting('--audit-days is missing')
  const { events, firstIndex, now } = await withStore(values, (store) => {
    exitOnSignals()
    return pruneAll(store, days)
  }).catch((error: unknown) => {
    if (!(error instanceof LeafGone)) throw error
    throw new StoreRefused(`The event for leaf ${error.index} is missing: run graphstead audit verify for details.`)
  })
  const before = pruningTime(days, now).slice(0, 10)
  print(
    events === 0
      ? `Nothing to remove: no bundle of 256 events is entirely older than ${before}.`
      : `Removed ${events} events older than ${before}. The log keeps all events from index ${firstIndex} on, and all hashes.`
  )
  if (before !== pruningTime(days).slice(0, 10)) {
    printError(
      `graphstead audit prune: the clock shows ${new Date().toISOString()}, which no server trusts yet, so the days are counted back from ${new Date(now).toISOString()}. A server trusts the clock once it has run for a day.`
    )
  }
  // An earlier run may have been interrupted before it wiped the files.
  const fault = firstIndex > 0 ? await wipe(values, () => existingDatabase(values.data)) : undefined
  if (fault === undefined) return 0
  printError(
    `graphstead audit prune: the events were removed from the tables, but not from the files. ${fault} Run the command again to finish.`
  )
  return 1
}

export default prune

/** Removes old events, one batch per transaction. */
async function pruneAll(store: Store, days: number) {
  const amend = await amendmentsOf(store)
  const now = await readSeenTime(store.read)
  const progress = progressLine('pruning')
  let events = 0
  try {
    for (;;) {
      const pruned = await pruneNext(store, amend, days, now)
      const { firstIndex, size } = await readLog(store.read)
      if (!pruned) return { events, firstIndex, now }
      events += pruned.events
      progress.update(pruned.firstIndex, size, 'events')
      await sleep(TURN)
    }
  } finally {
    progress.clear()
  }
}
