import fp from 'fastify-plugin'
import { type Budget, type SharedLimit, sharedBudget } from '../../graph/jobs/budget.ts'
import { inPieces } from '../http/bodies/pieces.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import { isSafe } from '../http/callers/safe-methods.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The memory budget for responses waiting for their clients. */
    sendBudget: Budget
  }
}

/** Responses up to this size are not counted, since even a thousand of them take up little memory. */
const SMALL = 64 * 1024

const busy = 'Too much data is being sent. Try again shortly.'

/**
 * Limits the memory for responses waiting for their clients. Beyond that, requests are refused, and the holder with the most
 * waiting bytes has responses dropped in favour of holders with fewer. Content shared between responses does not count.
 */
const sendBudget: Plugin<SharedLimit> = async (app, limit) => {
  const budget = sharedBudget(limit, busy)
  app.decorate('sendBudget', budget)

  app.addHook('preHandler', (request, _reply, done) => {
    // A change can only be refused before it is made.
    if (budget.isSpent && !isSafe(request.method)) {
      const share = budget.share()
      share.take(1)
      share.release()
    }
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (size <= SMALL || request.method === 'HEAD') return done(null, payload)
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload as string)
    const share = budget.share(() => reply.raw.destroy())
    try {
      share.take(bytes.length, { mustCome: !isSafe(request.method) })
    } catch (error) {
      // The change has been made, so an error response would be wrong.
      if (!isSafe(request.method)) reply.raw.destroy()
      return done(error as Error)
    }
    whenClosed(reply.raw, share.release)
    reply.header('content-length', String(bytes.length))
    done(null, inPieces(bytes))
  })
}

export default fp(sendBudget, { name: 'send-budget' })
