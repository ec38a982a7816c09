import { setTimeout as sleep } from 'node:timers/promises'
import type { Amend, Store } from '../../../db/store.ts'
import { amendmentsOf } from '../../../db/upkeep/amendments.ts'
import {
  type Erased,
  type Erasure,
  eraseFrom,
  expectNoAccount,
  findEvents,
  wasErased
} from '../../../db/upkeep/erasure.ts'
import { eraseTraces } from '../../../db/upkeep/login-traces.ts'
import { wipe } from '../../../db/upkeep/wiping.ts'
import { storeSettings } from '../../../schemas/settings.ts'
import { optionalText } from '../../../schemas/types.ts'
import { reservedLogins } from '../../../schemas/user.ts'
import type { Command } from '../../command.ts'
import { BadSetting, readSettings } from '../../settings/config.ts'
import { existingDatabase } from '../../settings/data-folder.ts'
import { usage } from '../../settings/usage.ts'
import { exitOnSignals } from '../../system/interruption.ts'
import { printable } from '../../system/printable.ts'
import { progressLine } from '../../system/progress.ts'
import { print, printError } from '../../system/terminal.ts'
import { withStore } from '../../with-store.ts'

const settings = {
  principal: optionalText({ minLength: 1, maxLength: 64, description: 'login of the deleted user' }),
  reason: optionalText({
    minLength: 1,
    maxLength: 500,
    description: 'reason to record in the trail; it must not contain the login'
  }),
  ...storeSettings
}

export const help = usage(
  'audit erase --principal LOGIN --reason TEXT',
  `Erases a deleted user from the audit trail and all other records, then rewrites the database, so that the values disappear from
its files. The proofs of the trail stay valid. An event records the number of changed events, their ids, and the reason. Earlier
backups, exports and copies still contain the values. Run it as the owner of the database; a server may be running.`,
  settings
)

/** How long to wait for a server to add new events to the log, and the polling interval, in milliseconds. */
const PATIENCE = 10_000
const PAUSE = 250

/** The pause between transactions, in milliseconds, to give a running server a turn. */
const TURN = 5

/** Erases a deleted user. */
const erase: Command = async (args) => {
  const { values, positionals } = readSettings(settings, args, process.env)
  const erasure = erasureOf(values, positionals)
  const { erased, records, unsealed, isToWipe } = await withStore(values, async (store) => {
    exitOnSignals()
    return eraseAll(store, await amendmentsOf(store), erasure)
  })
  const login = printable(erasure.login)
  if (erased.events + records === 0 && unsealed === 0) print(`No record contains the login ${login}.`)
  if (erased.events + records > 0) {
    print(
      `Erased ${count(erased.parts, 'part')} of ${count(erased.events, 'event')}, and the login in ${count(records, 'other record')}.`
    )
  }
  const fault = isToWipe ? await wipe(values, () => existingDatabase(values.data)) : undefined
  if (isToWipe && fault === undefined) {
    print('Rewrote the database. Earlier backups, exports, copies and logs still contain the values.')
  }
  if (fault !== undefined) {
    printError(
      `graphstead audit erase: the values were removed from the tables, but not from the files. ${fault} Run the command again to finish.`
    )
  }
  if (unsealed > 0) {
    printError(
      `graphstead audit erase: could not erase ${count(unsealed, 'event')} of ${login} because the log does not contain ${unsealed === 1 ? 'it' : 'them'} yet. Start the server, then run the command again.`
    )
  }
  return fault === undefined && unsealed === 0 ? 0 : 1
}

export default erase

function count(number: number, noun: string) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Validates the settings. Throws BadSetting. */
function erasureOf({ principal: login, reason }: { principal?: string; reason?: string }, others: string[]): Erasure {
  if (others.length > 0) throw new BadSetting(`audit erase takes no arguments: ${others[0]}`)
  if (login === undefined) throw new BadSetting('--principal is missing')
  if (reservedLogins.includes(login)) throw new BadSetting(`--principal ${login} is not a user`)
  if (reason === undefined) throw new BadSetting('--reason is missing')
  if (names(reason, login)) throw new BadSetting('--reason must not contain the login')
  return { login, reason }
}

/** Returns whether the text contains the login as a word. */
function names(text: string, login: string) {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(login)}(?![\\p{L}\\p{N}])`, 'iu').test(text)
}

interface Outcome {
  erased: Erased
  /** The number of erased records other than events. */
  records: number
  /** The number of events that are not in the log yet. */
  unsealed: number
  /** Whether this run or an earlier one may have left erased values in the files. */
  isToWipe: boolean
}

/** Erases the login from events and all other records. Waits for events that a running server has yet to add to the log. */
async function eraseAll(store: Store, amend: Amend, erasure: Erasure): Promise<Outcome> {
  await expectNoAccount(store.read, erasure.login)
  const progress = progressLine('erasing')
  const erased: Erased = { events: 0, parts: 0 }
  const eraseSome = async (ids: readonly number[]) => {
    const some = await eraseFrom(store, amend, ids, erasure)
    erased.events += some.erased.events
    erased.parts += some.erased.parts
    return some.unsealed
  }
  try {
    // Wait for transactions that are still running. Their events already have ids, but would appear only after the search has
    // passed them.
    await amend(['auditEvent'], async () => {})
    let waiting: number[] = []
    for (let after = 0; ; ) {
      const found = await findEvents(store, erasure.login, after)
      if (!found) break
      waiting.push(...(await eraseSome(found.ids)))
      progress.update(found.to, found.last, 'events')
      after = found.to
      await sleep(TURN)
    }
    const deadline = performance.now() + PATIENCE
    while (waiting.length > 0 && performance.now() < deadline) {
      await sleep(PAUSE)
      waiting = await eraseSome(waiting)
    }
    const records = await eraseTraces(store, amend, erasure)
    return { erased, records, unsealed: waiting.length, isToWipe: await wasErased(store) }
  } finally {
    progress.clear()
  }
}
