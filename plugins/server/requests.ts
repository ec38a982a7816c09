import fp from 'fastify-plugin'
import { NoQuery } from '../../schemas/parameters.ts'
import type { AccessLog } from '../http/access-log.ts'
import { securityHeaders, transportSecurity } from '../http/headers.ts'
import type { Plugin } from '../http/plugin.ts'
import { pathOf } from '../http/urls.ts'

/**
 * Gives every request an id, security headers and a log line. Adds a schema for an empty query to every operation that has no
 * query.
 */
const requests: Plugin<{ accessLog: AccessLog | undefined }> = async (app, { accessLog }) => {
  app.addHook('onRequest', (request, reply, done) => {
    // The connection was closed while this request was waiting on it, so nobody is left to receive a response.
    if (request.raw.socket.destroyed) return reply.hijack()
    reply.headers(securityHeaders)
    if (request.protocol === 'https') reply.header('strict-transport-security', transportSecurity)
    reply.header('x-request-id', request.id)
    done()
  })

  app.addHook('onRoute', (route) => {
    if (route.schema?.operationId !== undefined) route.schema = { querystring: NoQuery, ...route.schema }
  })

  if (!accessLog) return
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, url, ip, actor } = request
    const ms = Math.round(reply.elapsedTime * 10) / 10
    accessLog.add({ reqId, method, path: pathOf(url), status: reply.statusCode, ms, ip, user: actor?.principal })
    done()
  })
  app.addHook('onClose', async () => accessLog.flush())
}

export default fp(requests, { name: 'requests' })
