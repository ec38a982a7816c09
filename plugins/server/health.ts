import { probeReading, probeWriting } from '../../db/clock.ts'
import { StoreBroken } from '../../db/store.ts'
import { runFor, systemRequester } from '../../graph/jobs/shares.ts'
import { Health } from '../../schemas/health.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, refusals } from '../../schemas/responses.ts'
import type { Plugin } from '../http/plugin.ts'

export interface Readiness {
  /** Whether the server is stopping: it finishes its current requests and should not receive new ones. */
  draining: boolean
}

/** The initial and maximum delays before the next attempt to write, in milliseconds. The delay doubles each time. */
const FIRST_PROBE = 500
const LAST_PROBE = 10_000

/** Serves the health checks for supervisors (healthz) and load balancers (readyz). */
const health: Plugin<{ readiness: Readiness }> = async (app, { readiness }) => {
  const { store, log } = app
  const tags = ['health']

  /** Why the store cannot be written to; undefined once an attempt succeeds. */
  let broken: string | undefined
  let timer: NodeJS.Timeout | undefined
  store.onBroken = (error) => {
    if (timer === undefined) {
      log.error({ err: error }, 'the server cannot write to the store; it is not ready until it can')
      probeAfter(FIRST_PROBE)
    }
    broken = error.message
  }

  store.onReplica = (fault) => {
    if (fault) log.warn({ err: fault }, 'the replica cannot be used; the primary answers in its place')
    else log.info('the replica is used again')
  }

  function probeAfter(time: number) {
    timer = setTimeout(async () => {
      try {
        await probeWriting(store)
        timer = undefined
        broken = undefined
        log.info('the server can write to the store again; it is ready')
      } catch (error) {
        if (!isClosing) probeAfter(Math.min(time * 2, LAST_PROBE))
        broken = error instanceof StoreBroken ? error.message : 'the database does not respond'
      }
    }, time).unref()
  }
  let isClosing = false
  app.addHook('onClose', async () => {
    isClosing = true
    clearTimeout(timer)
  })

  app.get('/healthz', {
    schema: {
      tags,
      operationId: 'isAlive',
      summary: 'Check that the process is alive',
      description: 'Responds as long as the process is running.',
      security: [],
      response: { 200: answer(Health, 'The process is alive.'), ...refusals(400) }
    },
    handler: async () => ({ status: 'ok' as const })
  })

  app.get('/readyz', {
    schema: {
      tags,
      operationId: 'isReady',
      summary: 'Check that the server is ready',
      description:
        'Returns 503 while the server is starting or stopping, and while the database does not respond or cannot be written to.',
      security: [],
      response: { 200: answer(Health, 'The server is ready.'), ...refusals(400) }
    },
    handler: async () => {
      if (readiness.draining) throw new ProblemError('not-ready', { detail: 'The server is stopping.' })
      await runFor(systemRequester, () => probeReading(store)).catch((cause: unknown) => {
        throw new ProblemError('not-ready', { detail: 'The database does not respond.', cause })
      })
      const reason = store.fault() ?? broken
      if (reason !== undefined) throw new ProblemError('not-ready', { detail: `The server cannot write: ${reason}.` })
      return { status: 'ok' as const, ...(app.freeSpace.isLow() && { warnings: ['storage-low'] }) }
    }
  })
}

export default health
