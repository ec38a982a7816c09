import fp from 'fastify-plugin'
import { type Share, type SharedLimit, sharedBudget } from '../../graph/jobs/budget.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { countedBody } from '../http/bodies/counted-body.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import type { Plugin } from '../http/plugin.ts'

/** Bodies up to this size are not counted, since even a thousand of them take up little memory. */
const SMALL = 64 * 1024

/** The number of bytes to reserve for a body each time the previously reserved bytes have arrived. */
const WINDOW = 256 * 1024

const busy = 'Too many large requests are being processed. Try again shortly.'

/**
 * Limits the memory for all bodies, from their arrival until the response is sent. Memory is reserved as bytes arrive, so a
 * stalled body occupies at most `window` bytes more than have arrived. When the budget is used up, requests are refused, if
 * possible before their body is read. To make room for a holder with fewer bytes, the holder with the most bytes loses a body
 * that is still arriving.
 */
const bodyBudget: Plugin<SharedLimit & { window?: number }> = async (app, { window = WINDOW, ...limit }) => {
  const budget = sharedBudget(limit, busy)

  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? 0)
    const isOpen = request.headers['transfer-encoding'] !== undefined
    // The route itself refuses bodies that are too long.
    if (!isOpen && (length <= SMALL || length > request.routeOptions.bodyLimit)) return done()
    const stop = (error: ProblemError) => {
      payload.unpipe(counted)
      counted.destroy(error)
      // Some clients read the response only after sending the whole body.
      payload.resume()
    }
    const share = budget.share(() => stop(new ProblemError('server-busy', { detail: busy, retryAfter: 5 })))
    const counted = countedBody(payload, reserve(share, isOpen ? 0 : length, window), () => {
      share.giveUp = undefined
    })
    if (!isOpen) share.take(Math.min(length, window))
    whenClosed(reply.raw, () => {
      // Bytes that arrive after the response are discarded, so they must not be counted.
      stop(new ProblemError('request-aborted'))
      share.release()
    })
    done(null, reply.raw.destroyed ? counted : payload.pipe(counted))
  })
}

export default fp(bodyBudget, { name: 'body-budget' })

/** Returns a function that reserves memory for a body as it arrives, one window ahead if its length is known. */
function reserve(share: Share, length: number, window: number) {
  let received = 0
  return (bytes: number) => {
    received += bytes
    const missing = received - share.bytes
    if (missing > 0) share.take(Math.max(missing, Math.min(window, length - share.bytes)))
  }
}
