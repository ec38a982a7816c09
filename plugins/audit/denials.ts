import fp from 'fastify-plugin'
import type { Author } from '../../db/actors.ts'
import { type NewAuditEvent, recordEvent } from '../../db/audit/events.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    denials: {
      /**
       * Records a denial before it is answered. Of equal denials (the same principal, network, route, target, type and data) within a
       * minute, the first is an event, and one more event counts the others. With `isOneOfMany` the denial counts with all
       * others of the principal and type. Returns whether this denial is an event of its own.
       */
      record(author: Author, event: NewAuditEvent, isOneOfMany?: boolean): Promise<boolean>
    }
  }
}

/** The time for which equal denials are counted before they are recorded, in milliseconds. */
const WINDOW = 60_000

/** The time between two checks for counts to record, in milliseconds. */
const INTERVAL = 5000

/** The most denials that are distinguished; further ones are so by principal, type and outcome only. */
const KEYS = 10_000

/** Equal denials of a minute. */
interface Repeated {
  /** Resolves when the first is recorded. */
  recorded: Promise<unknown>
  author: Author
  event: NewAuditEvent
  /** The end of the window, on the clock of `performance`. */
  end: number
  /** The number of those after the first, and the times of their first and last. */
  count: number
  since: string
  until: string
}

/** Keeps repeated denials from filling the audit trail, from which nothing can be removed. */
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

  /** Records the counts of windows that end by `now`. */
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
        // The next check tries again, together with those counted meanwhile.
        const later = known.get(key)
        if (later) Object.assign(later, { count: later.count + count, since, until: later.until || until })
        else known.set(key, entry)
        log.error({ err: error }, 'denials that were counted cannot be recorded; the next check tries again')
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
