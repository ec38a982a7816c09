import fp from 'fastify-plugin'
import { GraphChanges, type GraphPolicy } from '../../db/changes/graphs.ts'
import type { Store } from '../../db/store.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: Store
    /** The only way to change graphs. */
    graphs: GraphChanges
  }
}

/**
 * Decorates the app with the store, and with `graphs`, which changes graphs according to the policy. The caller that opened the
 * store closes it.
 */
const store: Plugin<{ store: Store; policy: GraphPolicy }> = async (app, { store, policy }) => {
  app.decorate('store', store)
  app.decorate('graphs', new GraphChanges(policy))
}

export default fp(store, { name: 'store' })
