import { Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ProblemError } from '../schemas/errors.ts'
import { refusals } from '../schemas/responses.ts'
import { announcedBytes } from './http/announced-bytes.ts'
import { networkOf } from './http/networks.ts'
import type { Plugin } from './http/plugin.ts'
import { Rate } from './http/rate.ts'
import { extendSchemas } from './http/route-schemas.ts'
import { isSafe } from './http/safe-methods.ts'

declare module 'fastify' {
  interface FastifyInstance {
    rates: {
      /** Makes every route of this context ask how much its user has done lately. Goes after `authenticate`. */
      limitUsers(context: FastifyInstance): void
      /** Makes every route of this context, which is public, ask how much its address has done lately. */
      limitAddresses(context: FastifyInstance): void
      /** Counts a request that nobody could be found for. Throws `too-many-requests`. */
      stranger(request: FastifyRequest): void
      /** Counts a denial of the actor. Returns the problem that it is from now on where there were too many. */
      denial(subject: string): ProblemError | undefined
    }
  }
}

/** How much may be done in a minute, in the long run; 0 for any number. See plugins/http/rate.ts for what may come at once. */
export interface Rates {
  /** Requests of a user. */
  requests: number
  /** Requests of a user that change something. */
  changes: number
  /** Bytes that a user sends. */
  bytes: number
  /** Requests of a user that are denied. */
  denials: number
  /** Requests of an address that nobody is known to have sent. */
  address: number
}

/**
 * Bounds what one user, or one address, can have the server do: each is slowed down by itself, and the others notice
 * nothing. In memory: processes that share a store count each for itself.
 */
const rates: Plugin<{ rates: Rates }> = async (app, { rates: limits }) => {
  const requests = new Rate(limits.requests)
  const changes = new Rate(limits.changes)
  const bytes = new Rate(limits.bytes)
  const denials = new Rate(limits.denials)
  const addresses = new Rate(limits.address)

  function tooMany(budget: keyof Rates, retryAfter: number) {
    app.metrics.rateExceeded(budget)
    return new ProblemError('too-many-requests', { detail: details[budget], retryAfter })
  }

  function expect(budget: keyof Rates, wait: number) {
    if (wait > 0) throw tooMany(budget, wait)
  }

  app.decorate('rates', {
    limitUsers(context) {
      context.addHook('onRequest', (request, _reply, done) => {
        const { subject } = request.actor
        expect('requests', requests.take(subject))
        if (isSafe(request.method)) return done()
        expect('changes', changes.take(subject))
        expect('bytes', bytes.take(subject, announcedBytes(request)))
        done()
      })
      // A body whose length is not said counts as it arrives.
      context.addHook('preParsing', (request, _reply, payload, done) => {
        if (limits.bytes === 0 || request.headers['transfer-encoding'] === undefined) return done()
        const counted = new Transform({
          transform(chunk: Buffer, _encoding, next) {
            bytes.charge(request.actor.subject, chunk.length)
            next(null, chunk)
          }
        })
        // A request that is refused unread has no parser that listens, and an error without a listener ends the process.
        counted.on('error', () => {})
        payload.on('error', (error) => counted.destroy(error))
        done(null, payload.pipe(counted))
      })
      extendSchemas(context, () => ({ response: refusals(429) }))
    },
    limitAddresses(context) {
      context.addHook('onRequest', (request, _reply, done) => {
        app.rates.stranger(request)
        done()
      })
      extendSchemas(context, () => ({ response: refusals(429) }))
    },
    stranger: (request) => expect('address', addresses.take(networkOf(request.ip))),
    denial(subject) {
      const wait = denials.take(subject)
      return wait > 0 ? tooMany('denials', wait) : undefined
    }
  })
}

export default fp(rates, { name: 'rates', dependencies: ['metrics'] })

const details: Record<keyof Rates, string> = {
  requests: 'The user has sent too many requests.',
  changes: 'The user has sent too many changes.',
  bytes: 'The user has sent too much.',
  denials: 'The user was denied too much.',
  address: 'Too many requests came from this address.'
}
