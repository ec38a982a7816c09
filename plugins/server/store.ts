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
 * Provides the store as `app.store`, and changes to graphs, which follow the policy, as `app.graphs`. The code that opened the
 * store closes it.
 */
const store: Plugin<{ store: Store; policy: GraphPolicy }> = async (app, { store, policy }) => {
  app.decorate('store', store)
  app.decorate('graphs', new GraphChanges(policy))
}

export default fp(store, { name: 'store' })
