import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import { announcedBytes } from '../http/bodies/announced-bytes.ts'
import { countedBody } from '../http/bodies/counted-body.ts'
import { isSafe } from '../http/callers/safe-methods.ts'
import { LeakyBucket } from '../http/leaky-bucket.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'
import { extendSchemas } from '../http/route-schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    rates: {
      /** Applies the limits of users to every route of this context. Goes after `authenticate`. */
      limitUsers(context: FastifyInstance): void
      /** Applies the limits of addresses to every route of this context, which is public. */
      limitAddresses(context: FastifyInstance): void
      /** Counts a request without a valid token for its address. Throws `too-many-requests`. */
      countStranger(request: FastifyRequest): void
      /** Counts a denial of the actor. Returns the problem to answer instead if there were too many. */
      countDenial(subject: string): ProblemError | undefined
    }
  }
}

/** The limits per minute, in the long run; 0 for none. See plugins/http/leaky-bucket.ts for bursts. */
export interface Rates {
  /** Requests of a user. */
  requests: number
  /** Requests of a user that make changes. */
  changes: number
  /** Bytes that a user sends. */
  bytes: number
  /** Requests of a user that are denied. */
  denials: number
  /** Requests of an address without a valid token. */
  address: number
}

/**
 * Bounds the work of the server for one user, or one address, without effect on others. Counted in memory: each process that
 * shares a store counts for itself.
 */
const rates: Plugin<{ rates: Rates }> = async (app, { rates: limits }) => {
  const requests = new LeakyBucket(limits.requests)
  const changes = new LeakyBucket(limits.changes)
  const bytes = new LeakyBucket(limits.bytes)
  const denials = new LeakyBucket(limits.denials)
  const addresses = new LeakyBucket(limits.address)

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
        if (!isReading(request)) requireNoWait('changes', changes.take(subject))
        requireNoWait('bytes', bytes.take(subject, announcedBytes(request)))
        done()
      })
      // A body without a length counts as it arrives.
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
    countStranger: (request) => requireNoWait('address', addresses.take(networkOf(request.ip))),
    countDenial(subject) {
      const wait = denials.take(subject)
      return wait > 0 ? createProblem('denials', wait) : undefined
    }
  })
}

/** Tells whether the operation only reads, although it has a body. */
function isReading({ routeOptions }: FastifyRequest) {
  return routeOptions.config.scope?.startsWith('read:') ?? false
}

export default fp(rates, { name: 'rates', dependencies: ['metrics'] })

const details: Record<keyof Rates, string> = {
  requests: 'The user has sent too many requests.',
  changes: 'The user has sent too many changes.',
  bytes: 'The user has sent too many bytes.',
  denials: 'The user was denied too often.',
  address: 'Too many requests came from this address.'
}
