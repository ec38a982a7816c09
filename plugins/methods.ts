import fp from 'fastify-plugin'
import { ProblemError } from '../schemas/errors.ts'
import type { Plugin } from './http/plugin.ts'
import { pathOf } from './http/urls.ts'

/**
 * Knows the methods of every route that is registered after it: OPTIONS tells them, and a known address with another
 * method is 405 instead of 404. Before a body is read: who asks in vain need not send a good one.
 */
const methods: Plugin = async (app) => {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set(['OPTIONS']) }
    for (const name of [method].flat()) route.methods.add(name)
    routes.set(url, route)
  })

  app.addHook('onRequest', (request, reply, done) => {
    const path = pathOf(request.url)
    // An address of its own is no parameter of another: /api/graphs/import is not the graph `import`.
    const own = routes.get(path)
    if (!request.is404 && (!own || request.routeOptions.url === path)) return done()
    const matches = own ? [own] : [...routes.values()].filter(({ pattern }) => pattern.test(path))
    if (matches.length === 0 && path !== '*') throw new ProblemError('route-not-found')
    const allowed = new Set(matches.flatMap((route) => [...route.methods]))
    reply.header('allow', [...allowed].sort().join(', '))
    if (request.method !== 'OPTIONS') throw new ProblemError('method-not-allowed')
    reply.code(204).send()
  })
}

export default fp(methods, { name: 'methods', dependencies: ['problems'] })

/** `/api/graphs/:id` as a pattern for paths. */
function patternOf(url: string) {
  const escaped = url.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z]+/g, '[^/]*')}$`)
}
