import fp from 'fastify-plugin'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { isNavigation } from '../http/navigations.ts'
import { patternOf } from '../http/path-patterns.ts'
import type { Plugin } from '../http/plugin.ts'
import { pathOf } from '../http/urls.ts'

/**
 * Collects the methods of every route that is registered after it. OPTIONS lists them, and another method for a known path is 405
 * instead of 404. This comes before a body is read, which would be in vain.
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
    // A path of its own takes precedence over a parameter: /api/graphs/import is not the graph `import`.
    const own = routes.get(path)
    if (!request.is404 && (!own || request.routeOptions.url === path)) return done()
    const matches = own ? [own] : [...routes.values()].filter(({ pattern }) => pattern.test(path))
    if (matches.length === 0 && path !== '*') {
      reply.header('vary', 'Accept')
      // The web app answers browsers that look for a page.
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
