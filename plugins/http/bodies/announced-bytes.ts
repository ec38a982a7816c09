import type { FastifyRequest } from 'fastify'

/**
 * Returns the declared length of the body, capped at the route's maximum, since longer bodies are refused unread. A file sent by
 * mistake or a false length therefore costs no more than that.
 */
export function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? 0), routeOptions.bodyLimit)
}
