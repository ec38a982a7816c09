import { probeReading, probeWriting } from '../../db/clock.ts'
import { StoreBroken } from '../../db/store.ts'
import { runFor, systemRequester } from '../../graph/jobs/shares.ts'
import { Health } from '../../schemas/health.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, refusals } from '../../schemas/responses.ts'
import type { Plugin } from '../http/plugin.ts'

export interface Readiness {
  /** Whether the server is stopping: it finishes its requests and should not get new ones. */
  draining: boolean
}

/** The first and the longest delay before trying to write again, in milliseconds. The delay doubles each time. */
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
      log.error({ err: error }, 'nothing can be written; not ready until that has changed')
      probeAfter(FIRST_PROBE)
    }
    broken = error.message
  }

  function probeAfter(time: number) {
    timer = setTimeout(async () => {
      try {
        await probeWriting(store)
        timer = undefined
        broken = undefined
        log.info('writing works again; ready')
      } catch (error) {
        if (!isClosing) probeAfter(Math.min(time * 2, LAST_PROBE))
        broken = error instanceof StoreBroken ? error.message : 'the store does not answer'
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
      description: 'Answers as long as the process can.',
      security: [],
      response: { 200: answer(Health, 'It is.'), ...refusals(400) }
    },
    handler: async () => ({ status: 'ok' as const })
  })

  app.get('/readyz', {
    schema: {
      tags,
      operationId: 'isReady',
      summary: 'Check that the service can serve',
      description: '503 while it starts, while it stops, and while the store does not answer or cannot be written to.',
      security: [],
      response: { 200: answer(Health, 'It can.'), ...refusals(400) }
    },
    handler: async () => {
      if (readiness.draining) throw new ProblemError('not-ready', { detail: 'The server is stopping.' })
      await runFor(systemRequester, () => probeReading(store)).catch((cause: unknown) => {
        throw new ProblemError('not-ready', { detail: 'The store does not answer.', cause })
      })
      const reason = store.fault() ?? broken
      if (reason !== undefined) throw new ProblemError('not-ready', { detail: `Nothing can be written: ${reason}.` })
      return { status: 'ok' as const, ...(app.freeSpace.isLow() && { warnings: ['storage-low'] }) }
    }
  })
}

export default health
