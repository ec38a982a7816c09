import { Transform } from 'node:stream'
import fp from 'fastify-plugin'
import { Budget, type Share } from '../graph/budget.ts'
import { ProblemError } from '../schemas/errors.ts'
import { ownerOf } from './http/networks.ts'
import type { Plugin } from './http/plugin.ts'
import { whenClosed } from './http/when-closed.ts'

/** Bodies up to this size are not counted: those of a thousand connections fit into little memory. */
const SMALL = 64 * 1024

/** So much a body has at once, and again whenever that has come. */
const WINDOW = 256 * 1024

const busy = 'Too many large bodies are under way.'

/**
 * Bounds the memory that bodies under way take: `budget` bytes in all, from their arrival until they are answered. They
 * count as they arrive, so a body that stops holds no more than what has come of it. Who comes when the budget is spent
 * is told to come again, if they can before their body is read; who has most loses a body that still arrives to who has less.
 */
const bodyBudget: Plugin<{ budget: number; window?: number }> = async (app, options) => {
  const { window = WINDOW } = options
  const budget = new Budget(options.budget, busy)

  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? 0)
    const isOpen = request.headers['transfer-encoding'] !== undefined
    // What is too long is refused by its route.
    if (!isOpen && (length <= SMALL || length > request.routeOptions.bodyLimit)) return done()
    const share = budget.share(ownerOf(request), () => {
      payload.unpipe(counted)
      counted.destroy(new ProblemError('server-busy', { detail: busy, retryAfter: 5 }))
      // Whoever sends all of it before they listen hears the answer then.
      payload.resume()
    })
    const counted = countedBy(share, isOpen ? 0 : length, window)
    if (!isOpen) share.take(Math.min(length, window))
    whenClosed(reply.raw, share.release)
    // A request that is refused unread has no parser that listens, and an error without a listener ends the process.
    counted.on('error', () => {})
    payload.on('error', (error) => counted.destroy(error))
    done(null, payload.pipe(counted))
  })
}

export default fp(bodyBudget, { name: 'body-budget' })

/** Passes a body on and takes what it needs: of one whose length is known, a window ahead. Whole, it is not given up any more. */
function countedBy(share: Share, length: number, window: number) {
  let received = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      received += chunk.length
      try {
        const missing = received - share.bytes
        if (missing > 0) share.take(Math.max(missing, Math.min(window, length - share.bytes)))
        next(null, chunk)
      } catch (error) {
        next(error as Error)
      }
    },
    flush(done) {
      share.giveUp = undefined
      done()
    }
  })
}
