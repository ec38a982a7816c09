import fp from 'fastify-plugin'
import type { Author } from '../../db/actors.ts'
import { type NewAuditEvent, recordEvent } from '../../db/audit/events.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    denials: {
      /**
       * Records a denial before the response is sent. The first of several equal denials within a minute is recorded as an
       * event, and the rest are counted in a second event. Denials are equal if they have the same principal, network, route,
       * target, type and data. With `isOneOfMany`, all denials with the same principal and type are counted together. Returns
       * whether the denial was recorded as a separate event.
       */
      record(author: Author, event: NewAuditEvent, isOneOfMany?: boolean): Promise<boolean>
    }
  }
}

/** How long identical denials are counted before the count is recorded, in milliseconds. */
const WINDOW = 60_000

/** The interval between checks for counts that are due, in milliseconds. */
const INTERVAL = 5000

/** The maximum number of distinct denials. Beyond it, denials are distinguished only by principal, type and outcome. */
const KEYS = 10_000

/** Identical denials within one window. */
interface Repeated {
  /** Resolves once the first denial is recorded. */
  recorded: Promise<unknown>
  author: Author
  event: NewAuditEvent
  /** The end of the window, as measured by `performance.now()`. */
  end: number
  /** The number of denials after the first one, and the times of the first and last of them. */
  count: number
  since: string
  until: string
}

/** Keeps repeated denials from filling the audit trail, since events cannot be removed from it. */
const denials: Plugin = async (app) => {
  const { store, log } = app
  const known = new Map<string, Repeated>()

  app.decorate('denials', {
    async record(author, event, isOneOfMany = false) {
      const { principal, request } = author
      const { type, outcome, target } = event
      const own = JSON.stringify([
        principal,
        type,
        outcome,
        request && networkOf(request.ip),
        request?.method,
        request?.route,
        target?.type,
        target?.id,
        event.data
      ])
      const isKnown = !isOneOfMany && (known.has(own) || known.size < KEYS)
      const key = isKnown ? own : JSON.stringify([principal, type, outcome])
      const repeated = known.get(key)
      if (!repeated) {
        const first = { principal, ...(request && { request }) }
        const recorded = store.write((trx) => recordEvent(trx, first, event))
        const entry = {
          recorded,
          author: first,
          event,
          end: performance.now() + WINDOW,
          count: 0,
          since: '',
          until: ''
        }
        known.set(key, entry)
        recorded.catch(() => known.get(key) === entry && known.delete(key))
        await recorded
        return true
      }
      await repeated.recorded
      if (known.get(key) !== repeated) return app.denials.record(author, event, isOneOfMany)
      repeated.until = new Date().toISOString()
      repeated.since ||= repeated.until
      repeated.count++
      return false
    }
  })

  /** Records the counts of all windows that have ended by `now`. */
  async function flush(now = performance.now()) {
    for (const [key, entry] of known) {
      if (entry.end > now) continue
      known.delete(key)
      if (entry.count === 0) continue
      const { author, event, count, since, until } = entry
      const data = { ...event.data, count: String(count), since, until }
      try {
        await store.write((trx) => recordEvent(trx, author, { ...event, data }))
      } catch (error) {
        // The next check tries again, and includes any denials counted in the meantime.
        const later = known.get(key)
        if (later) Object.assign(later, { count: later.count + count, since, until: later.until || until })
        else known.set(key, entry)
        log.error({ err: error }, 'the number of repeated denials could not be recorded; retrying at the next check')
        return
      }
    }
  }

  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => flush())
  }, INTERVAL).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
    await flush(Number.POSITIVE_INFINITY)
  })
}

export default fp(denials, { name: 'denials', dependencies: ['store'] })
