import type { FastifyRequest } from 'fastify'

/**
 * Returns the declared length of the body, capped at the route's maximum, since longer bodies are refused unread. The cap
 * bounds the effect of a false Content-Length.
 */
export function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? 0), routeOptions.bodyLimit)
}
