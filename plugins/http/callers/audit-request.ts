import type { FastifyRequest } from 'fastify'
import type { AuditRequest } from '../../../schemas/audit.ts'

/** Returns the parts of a request to record in the audit trail, which never include the query, body or cookies. */
export function auditRequestOf({ id, ip, method, headers, routeOptions }: FastifyRequest): AuditRequest {
  const userAgent = headers['user-agent']?.slice(0, 255)
  const route = (routeOptions.url ?? '').replace(/:([A-Za-z]+)/g, '{$1}')
  return { id, ip, ...(userAgent && { userAgent }), method, route }
}
