import fp from 'fastify-plugin'
import { Budget } from '../../graph/jobs/budget.ts'
import { inPieces } from '../http/bodies/pieces.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import { isSafe } from '../http/callers/safe-methods.ts'
import type { Plugin } from '../http/plugin.ts'

/** Answers up to this size are not counted: those of a thousand connections fit into little memory. */
const SMALL = 64 * 1024

const busy = 'Too much is being sent.'

/**
 * Bounds the memory of answers that wait for their clients: `budget` bytes in all. Beyond it requests are refused, and the holder
 * with the most bytes waiting loses some of them to holders with fewer. Contents that answers share do not count.
 */
const sendBudget: Plugin<{ budget: number }> = async (app, options) => {
  const budget = new Budget(options.budget, busy)

  app.addHook('preHandler', (request, _reply, done) => {
    // A change is refused before it is made: afterwards it could not be.
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
      // The change was made, and a refusal would say that it was not.
      if (!isSafe(request.method)) reply.raw.destroy()
      return done(error as Error)
    }
    whenClosed(reply.raw, share.release)
    reply.header('content-length', String(bytes.length))
    done(null, inPieces(bytes))
  })
}

export default fp(sendBudget, { name: 'send-budget' })
