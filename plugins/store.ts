import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Plugin } from './http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: Store
  }
}

/** Provides the store as `app.store`. The caller who opened it closes it. */
const store: Plugin<{ store: Store }> = async (app, options) => {
  app.decorate('store', options.store)
}

export default fp(store, { name: 'store' })
