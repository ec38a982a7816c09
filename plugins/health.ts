import { sql } from 'kysely'
import { Health } from '../schemas/health.ts'
import { NoQuery } from '../schemas/parameters.ts'
import { answer, refusals } from '../schemas/responses.ts'
import { ProblemError } from '../src/errors.ts'
import type { Plugin } from './plugin.ts'

export interface Readiness {
  /** The server is going to stop: it finishes what it has, and wants nothing new. */
  draining: boolean
}

/** For whoever watches the process (healthz) or sends it requests (readyz). */
const health: Plugin<{ readiness: Readiness }> = async (app, { readiness }) => {
  const tags = ['health']

  app.get(
    '/healthz',
    {
      schema: {
        tags,
        operationId: 'isAlive',
        summary: 'Is the process alive?',
        description: 'Answers as long as the process can.',
        security: [],
        querystring: NoQuery,
        response: { 200: answer(Health, 'It is.'), ...refusals(400) }
      }
    },
    async () => ({ status: 'ok' as const })
  )

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        operationId: 'isReady',
        summary: 'Can it serve?',
        description: '503 while it starts, while it stops, and while the store does not answer.',
        security: [],
        querystring: NoQuery,
        response: { 200: answer(Health, 'It can.'), ...refusals(400) }
      }
    },
    async () => {
      if (readiness.draining) throw new ProblemError('not-ready', { detail: 'The server is stopping.' })
      await sql`SELECT 1`.execute(app.store.read).catch((cause: unknown) => {
        throw new ProblemError('not-ready', { detail: 'The store does not answer.', cause })
      })
      return { status: 'ok' as const }
    }
  )
}

export default health
