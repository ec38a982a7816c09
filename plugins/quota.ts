import fp from 'fastify-plugin'
import type { Db, Trx } from '../db/store.ts'
import { usageOf } from '../db/usage.ts'
import { ProblemError } from '../schemas/errors.ts'
import type { Plugin } from './http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    quota: {
      /**
       * The graph as it has just become, inside of the unit, if its owner may have so much. Throws `quota-exceeded` where it
       * takes more than before and that is too much; the unit undoes it.
       */
      within<Graph extends Measured>(trx: Trx, after: Graph, before?: Measured): Promise<Graph>
      /** What the user's graphs take and may take, for the header `Graphstead-Usage`. */
      told(db: Db, login: string): Promise<string>
    }
  }
}

interface Measured {
  owner: string
  bytes: number
}

/** Bounds what the graphs of one user take, in bytes and by number; without both nobody asks. */
const quota: Plugin<{ maxBytes: number; maxGraphs: number }> = async (app, { maxBytes, maxGraphs }) => {
  app.decorate('quota', {
    async within(trx, after, before) {
      if ((maxBytes === 0 && maxGraphs === 0) || (before && after.bytes <= before.bytes)) return after
      const { graphs, bytes } = await usageOf(trx, after.owner)
      const hasTooMany = before === undefined && maxGraphs > 0 && graphs > maxGraphs
      if (hasTooMany || (maxBytes > 0 && bytes > maxBytes)) {
        const detail = hasTooMany
          ? `The owner may have ${maxGraphs} graphs, those in the trash included.`
          : `The owner's graphs may take ${maxBytes} bytes, with their versions and those in the trash.`
        throw new ProblemError('quota-exceeded', { detail })
      }
      return after
    },
    async told(db, login) {
      const { graphs, bytes } = await usageOf(db, login)
      const most = [maxGraphs > 0 && `max-graphs=${maxGraphs}`, maxBytes > 0 && `max-bytes=${maxBytes}`]
      return [`graphs=${graphs}`, `bytes=${bytes}`, ...most].filter(Boolean).join(', ')
    }
  })
}

export default fp(quota, { name: 'quota' })
