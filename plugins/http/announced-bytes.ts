import type { FastifyRequest } from 'fastify'

/**
 * How many bytes the request says that its body has; no more than its route takes, since what is longer is refused unread.
 * A file that is sent by mistake, or a length that somebody made up, costs no more than that.
 */
export function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? 0), routeOptions.bodyLimit)
}
