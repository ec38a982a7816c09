import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { indexedUpTo, indexNext } from '../../db/upkeep/reindex.ts'
import { currentRequester, runFor } from '../../graph/jobs/shares.ts'
import type { GraphWorker } from '../../graph/jobs/worker.ts'
import { runInBackground } from '../http/background.ts'
import type { Plugin } from '../http/plugin.ts'

/** The interval between checks for unindexed graphs, in milliseconds. */
const INTERVAL = 60 * 1000

/** The delay before the first check, in milliseconds, so that it does not compete with the first requests. */
const FIRST_RUN_DELAY = 1000

/** Adds unindexed graphs to the search index, a few at a time. An interrupted `reindex` leaves graphs unindexed. */
const indexing: Plugin<{ worker: GraphWorker }> = async (app, { worker }) => {
  const { store, log } = app
  const stop = new AbortController()
  const pause = (time: number) => sleep(time, undefined, { signal: stop.signal, ref: false }).catch(() => {})

  async function run() {
    await pause(FIRST_RUN_DELAY)
    while (!stop.signal.aborted) {
      try {
        if ((await indexedUpTo(store.read)) !== undefined) await addAll()
      } catch (error) {
        log.error({ err: error }, 'graphs could not be added to the search index; retrying')
      }
      await pause(INTERVAL)
    }
  }

  async function addAll() {
    log.info('adding graphs to the search index; searches may miss some graphs until this is complete')
    const requester = { ...currentRequester(), signal: stop.signal }
    const readWords = (body: Buffer, size: number) => runFor(requester, () => worker.words({ body, size }))
    while (!stop.signal.aborted) {
      if (!(await indexNext(store, readWords))) return log.info('the search index is complete')
    }
  }

  runInBackground(app, stop, run)
}

export default fp(indexing, { name: 'indexing', dependencies: ['store'] })
