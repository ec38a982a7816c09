import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { removePurged } from '../../db/changes/trash.ts'
import { judgeClock, readClock, setClock } from '../../db/clock.ts'
import { removeOrphanedGrants } from '../../db/graphs/listed-grants.ts'
import { tellOldOpenings } from '../../db/sharing/opening-counts.ts'
import type { Transaction } from '../../db/store.ts'
import { removeOldAttempts } from '../../db/users/attempts.ts'
import { type IdleLimits, removeExpiredSessions, removeIdleSessions } from '../../db/users/sessions.ts'
import { runInBackground } from '../http/background.ts'
import type { Plugin } from '../http/plugin.ts'

/** The time between two runs, in milliseconds. */
const INTERVAL = 60 * 1000

/** The time until the first run, in milliseconds: first requests come first. */
const FIRST_RUN_DELAY = 1000

/** The interval at which the state of the clock is stored, in milliseconds. */
const CLOCK_INTERVAL = 10 * 60 * 1000

/** The number of rows that are looked up at once. */
const BATCH = 100

/**
 * Removes expired data, in small pieces so that no request waits: graphs that have been in the trash for long enough, versions
 * beyond those that are kept, remains of long histories, grants to people and
 * groups that are gone, expired attempts and tokens, and idle sessions. Records how often links were opened. Runs after the
 * start, and every minute.
 */
const housekeeping: Plugin<{ idle: IdleLimits }> = async (app, { idle }) => {
  const { store, log } = app
  const stop = new AbortController()

  async function keepHouse() {
    let areTrimmed = false
    await pause(FIRST_RUN_DELAY)
    while (!stop.signal.aborted) {
      try {
        await store.alone(async () => {
          const isInOrder = await watchClock()
          if (isInOrder) await emptyTrash()
          await inPieces(removePurged)
          await inPieces(removeOrphanedGrants)
          await inPieces(removeOldAttempts)
          await inPieces(tellOldOpenings)
          // If the clock is put back later, their tokens would be valid again.
          if (isInOrder) {
            await inPieces(removeExpiredSessions)
            await inPieces((trx) => removeIdleSessions(trx, idle))
          }
          // From then on each change removes the versions that it makes superfluous.
          if (!areTrimmed) await trimHistories()
          areTrimmed = true
        })
      } catch (error) {
        log.error({ err: error }, 'housekeeping failed, and will be tried again')
      }
      await pause(INTERVAL)
    }
  }

  /** Runs the transaction until it has removed everything; it returns whether more may be left. */
  async function inPieces(removeSome: Transaction<boolean>) {
    while (!stop.signal.aborted && (await store.write(removeSome)));
  }

  const pause = (time: number) => sleep(time, undefined, { signal: stop.signal, ref: false }).catch(() => {})

  let clock: Awaited<ReturnType<typeof startWatching>> | undefined
  const startWatching = async () => ({
    ...(await readClock(store.read)),
    isTrusted: true,
    // Counting begins here: another process may have counted the time before.
    at: performance.now(),
    writtenAt: -CLOCK_INTERVAL
  })

  /** Tells whether the clock can be trusted: only then is data removed for its age. */
  async function watchClock() {
    const before = clock ?? (await startWatching())
    const at = performance.now()
    const { isTrusted, trustedAt, ran } = judgeClock(before, Date.now(), at - before.at)
    clock = { isTrusted, trustedAt, ran, at, writtenAt: before.writtenAt }
    if (isTrusted !== before.isTrusted) {
      const hours = Math.round((Date.now() - trustedAt - ran) / 3_600_000)
      if (isTrusted) log.info('the clock is trusted again: old data is removed')
      else
        log.warn(
          { hours },
          'the clock has jumped ahead: no old data is removed until it agrees again, or the server has run for a day'
        )
    }
    if (isTrusted !== before.isTrusted || at - before.writtenAt >= CLOCK_INTERVAL) {
      await store.write((trx) => setClock(trx, { trustedAt, ran: Math.round(ran) }))
      clock.writtenAt = at
    }
    return isTrusted
  }

  async function emptyTrash() {
    for (;;) {
      const ids = await app.graphs.findExpired(store.read, BATCH)
      let purged = 0
      for (const id of ids) {
        if (stop.signal.aborted) return
        if (await store.write((trx) => app.graphs.purgeExpired(trx, id))) purged++
      }
      // Graphs that cannot be removed would be found again.
      if (ids.length < BATCH || purged === 0) return
    }
  }

  /** Removes versions if fewer are kept than before. */
  async function trimHistories() {
    for (let after = 0; ; ) {
      const ids = await app.graphs.findLongHistories(store.scan, after, BATCH)
      for (const id of ids) {
        while (!stop.signal.aborted && !(await store.write((trx) => app.graphs.trimHistory(trx, id))));
      }
      after = ids.at(-1) ?? after
      if (stop.signal.aborted || ids.length < BATCH) return
    }
  }

  runInBackground(app, stop, keepHouse)
}

export default fp(housekeeping, { name: 'housekeeping', dependencies: ['store'] })
