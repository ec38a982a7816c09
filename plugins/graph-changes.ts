import fp from 'fastify-plugin'
import { GraphChanges, type GraphPolicy } from '../db/graph-changes.ts'
import type { Plugin } from './http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The one way that graphs change. */
    graphs: GraphChanges
  }
}

/** Decorates the server with `app.graphs`, which changes graphs by the policy. */
const graphChanges: Plugin<{ policy: GraphPolicy }> = async (app, { policy }) => {
  app.decorate('graphs', new GraphChanges(policy))
}

export default fp(graphChanges, { name: 'graph-changes' })
