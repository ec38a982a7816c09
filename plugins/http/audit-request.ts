import type { FastifyRequest } from 'fastify'
import type { AuditRequest } from '../../schemas/audit.ts'

/** What the audit trail keeps of a request: never its query, body or cookies. */
export function auditRequestOf({ id, ip, method, headers, routeOptions }: FastifyRequest): AuditRequest {
  const userAgent = headers['user-agent']?.slice(0, 255)
  const route = (routeOptions.url ?? '').replace(/:([A-Za-z]+)/g, '{$1}')
  return { id, ip, ...(userAgent && { userAgent }), method, route }
}
