import fp from 'fastify-plugin'
import { securityHeaders } from '../src/headers.ts'
import type { Plugin } from './plugin.ts'

/** What every request gets: its id, security headers, and one line in the log. */
const requests: Plugin = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    reply.header('x-request-id', request.id)
  })

  app.addHook('onResponse', async (request, reply) => {
    // Without the query, which may hold what somebody searches for.
    const [path] = request.url.split('?')
    request.log.info(
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        user: request.actor?.login
      },
      'request'
    )
  })
}

export default fp(requests, { name: 'requests' })
