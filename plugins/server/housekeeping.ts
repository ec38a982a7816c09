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

/** The interval between runs, in milliseconds. */
const INTERVAL = 60 * 1000

/** The delay before the first run, in milliseconds, so that it does not compete with the first requests. */
const FIRST_RUN_DELAY = 1000

/** The interval at which the state of the clock is saved, in milliseconds. */
const CLOCK_INTERVAL = 10 * 60 * 1000

/** The number of rows to look up at a time. */
const BATCH = 100

/**
 * Removes expired data, a little at a time so that requests do not wait: expired graphs in the trash, versions beyond the
 * limit, the rest of long histories of deleted graphs, grants to people and groups that no longer exist, expired sign-in
 * attempts and tokens, and idle sessions. Records how often links were opened. Runs shortly after startup, and then every
 * minute. Servers that share a store do so independently: each transaction locks what it removes and checks it again, and a
 * server that finds nothing left because another was faster stops until the next run.
 */
const housekeeping: Plugin<{ idle: IdleLimits }> = async (app, { idle }) => {
  const { store, log } = app
  const stop = new AbortController()

  async function keepHouse() {
    let areTrimmed = false
    await pause(FIRST_RUN_DELAY)
    while (!stop.signal.aborted) {
      try {
        const isInOrder = await watchClock()
        if (isInOrder) await emptyTrash()
        await inPieces(removePurged)
        await inPieces(removeOrphanedGrants)
        await inPieces(removeOldAttempts)
        await inPieces(tellOldOpenings)
        // If the clock were later set back, tokens whose revocation had been deleted would become valid again.
        if (isInOrder) {
          await inPieces(removeExpiredSessions)
          await inPieces((trx) => removeIdleSessions(trx, idle))
        }
        // From then on, each change removes the versions beyond the limit.
        if (!areTrimmed) await trimHistories()
        areTrimmed = true
      } catch (error) {
        log.error({ err: error }, 'housekeeping failed; retrying later')
      }
      await pause(INTERVAL)
    }
  }

  /** Repeats the transaction until it returns false, which means that nothing is left to remove. */
  async function inPieces(removeSome: Transaction<boolean>) {
    while (!stop.signal.aborted && (await store.write(removeSome)));
  }

  const pause = (time: number) => sleep(time, undefined, { signal: stop.signal, ref: false }).catch(() => {})

  let clock: Awaited<ReturnType<typeof startWatching>> | undefined
  const startWatching = async () => ({
    ...(await readClock(store.read)),
    isTrusted: true,
    // Another process may have accounted for the time up to this point.
    at: performance.now(),
    writtenAt: -CLOCK_INTERVAL
  })

  /** Returns whether the clock can be trusted. If not, no data is removed because of its age. */
  async function watchClock() {
    const before = clock ?? (await startWatching())
    const at = performance.now()
    const { isTrusted, trustedAt, ran } = judgeClock(before, Date.now(), at - before.at)
    clock = { isTrusted, trustedAt, ran, at, writtenAt: before.writtenAt }
    if (isTrusted !== before.isTrusted) {
      const hours = Math.round((Date.now() - trustedAt - ran) / 3_600_000)
      if (isTrusted) log.info('the clock is trusted again; removing old data')
      else
        log.warn(
          { hours },
          'the clock has jumped ahead; old data is kept until the clock agrees again or the server has run for a day'
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
      // If no graph could be removed, the next query would find the same ones again.
      if (ids.length < BATCH || purged === 0) return
    }
  }

  /** Removes versions beyond the limit, which may have been lowered. */
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
