import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Peers } from '../../graph/jobs/peers.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import { announcedBytes } from '../http/bodies/announced-bytes.ts'
import { countedBody } from '../http/bodies/counted-body.ts'
import { isSafe, mayChange } from '../http/callers/safe-methods.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'
import { extendSchemas } from '../http/route-schemas.ts'
import { SharedBuckets } from './shared-buckets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    rates: {
      /** Applies the rate limits per user to all routes of this context. Call it after `authenticate`. */
      limitUsers(context: FastifyInstance): void
      /** Applies the per-address rate limits to all routes of this context, which is public. */
      limitAddresses(context: FastifyInstance): void
      /** Counts a request without a valid token towards its address's limit. Throws `too-many-requests`. */
      countStranger(request: FastifyRequest): void
      /** Counts a denial towards the actor's limit. Returns a problem to send instead if there have been too many. */
      countDenial(subject: string): ProblemError | undefined
    }
  }
}

/** The average limits per minute; 0 for no limit. See plugins/http/leaky-bucket.ts for bursts. */
export interface Rates {
  /** Requests per user. */
  requests: number
  /** Requests that make changes, per user. */
  changes: number
  /** Bytes received per user. */
  bytes: number
  /** Denied requests per user. */
  denials: number
  /** Requests without a valid token, per address. */
  address: number
}

/**
 * Limits the work that one user or address can cause, without affecting others. The counts are kept in memory, and hold for all
 * workers of a server. Servers that share a store count separately.
 */
const rates: Plugin<{ rates: Rates; peers: Peers }> = async (app, { rates: limits, peers }) => {
  const shared = new SharedBuckets(limits, peers)
  const { requests, changes, bytes, denials, address: addresses } = shared.buckets
  app.addHook('onListen', () => shared.catchUp())

  function createProblem(budget: keyof Rates, retryAfter: number) {
    app.metrics.countExceededRate(budget)
    return new ProblemError('too-many-requests', { detail: details[budget], retryAfter })
  }

  function requireNoWait(budget: keyof Rates, wait: number) {
    if (wait > 0) throw createProblem(budget, wait)
  }

  app.decorate('rates', {
    limitUsers(context) {
      context.addHook('onRequest', (request, _reply, done) => {
        const { subject } = request.actor
        requireNoWait('requests', requests.take(subject))
        if (isSafe(request.method)) return done()
        if (mayChange(request)) requireNoWait('changes', changes.take(subject))
        requireNoWait('bytes', bytes.take(subject, announcedBytes(request)))
        done()
      })
      // Bodies of unknown length are counted as they arrive.
      context.addHook('preParsing', (request, _reply, payload, done) => {
        if (limits.bytes === 0 || request.headers['transfer-encoding'] === undefined) return done()
        const counted = countedBody(payload, (length) => bytes.charge(request.actor.subject, length))
        done(null, payload.pipe(counted))
      })
      extendSchemas(context, () => ({ response: refusals(429) }))
    },
    limitAddresses(context) {
      context.addHook('onRequest', (request, _reply, done) => {
        app.rates.countStranger(request)
        done()
      })
      extendSchemas(context, () => ({ response: refusals(429) }))
    },
    countStranger: (request) => requireNoWait('address', addresses.take(strangerOf(request))),
    countDenial(subject) {
      const wait = denials.take(subject)
      return wait > 0 ? createProblem('denials', wait) : undefined
    }
  })
}

/**
 * Returns the key under which to count a request without a valid token: its network. Requests from pages of other sites are
 * counted separately, since any page can make a browser request images from this server, and these must not use up the limit of
 * an entire office.
 */
function strangerOf({ ip, headers }: FastifyRequest) {
  const isForeign = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate'
  return isForeign ? `${networkOf(ip)} from other sites` : networkOf(ip)
}

export default fp(rates, { name: 'rates', dependencies: ['metrics'] })

const details: Record<keyof Rates, string> = {
  requests: 'You have sent too many requests.',
  changes: 'You have made too many changes.',
  bytes: 'You have sent too much data.',
  denials: 'Too many of your requests were denied.',
  address: 'Too many requests came from this address.'
}
