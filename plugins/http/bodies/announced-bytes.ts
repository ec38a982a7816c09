import type { FastifyRequest } from 'fastify'

/**
 * Returns the announced length of the request's body, and no more than its route takes: longer bodies are refused unread. A file
 * sent by mistake, or an invented length, costs no more than that.
 */
export function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? 0), routeOptions.bodyLimit)
}
