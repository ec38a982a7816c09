import fp from 'fastify-plugin'
import type { Store } from '../db/store.ts'
import type { Plugin } from './http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: Store
  }
}

/** The store, as `app.store`. Who opened it closes it. */
const store: Plugin<{ store: Store }> = async (app, options) => {
  app.decorate('store', options.store)
}

export default fp(store, { name: 'store' })
