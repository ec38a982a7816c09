import fp from 'fastify-plugin'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { isNavigation } from '../http/navigations.ts'
import { patternOf } from '../http/path-patterns.ts'
import type { Plugin } from '../http/plugin.ts'
import { pathOf } from '../http/urls.ts'

/**
 * Collects the methods of all routes registered later. They are used to answer OPTIONS requests, and to respond with 405
 * instead of 404 to other methods on a known path. The check runs before the body is read.
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
    // A fixed path takes precedence over a parameter: in /api/graphs/import, `import` is not an id.
    const own = routes.get(path)
    if (!request.is404 && (!own || request.routeOptions.url === path)) return done()
    const matches = own ? [own] : [...routes.values()].filter(({ pattern }) => pattern.test(path))
    if (matches.length === 0 && path !== '*') {
      reply.header('vary', 'Accept')
      // The web app responds to browsers that request a page.
      if (isNavigation(request)) return done()
      throw new ProblemError('route-not-found')
    }
    const allowed = new Set(matches.flatMap((route) => [...route.methods]))
    reply.header('allow', [...allowed].sort().join(', '))
    if (request.method !== 'OPTIONS') throw new ProblemError('method-not-allowed')
    reply.code(204).send()
  })
}

export default fp(methods, { name: 'methods', dependencies: ['problems'] })
