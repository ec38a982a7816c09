import type { FastifyRequest } from 'fastify'
import type { AuditRequest } from '../../../schemas/audit.ts'

/** Returns the parts of a request that go into the audit trail. The query, body and cookies are never included. */
export function auditRequestOf({ id, ip, method, headers, routeOptions }: FastifyRequest): AuditRequest {
  const userAgent = headers['user-agent']?.slice(0, 255)
  const route = (routeOptions.url ?? '').replace(/:([A-Za-z]+)/g, '{$1}')
  return { id, ip, ...(userAgent && { userAgent }), method, route }
}
