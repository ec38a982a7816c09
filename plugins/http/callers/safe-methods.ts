import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether the method is safe, which means that requests with it make no changes (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE.has(method)
}

/** Returns whether the request may make changes. An operation with a body and a read scope makes no changes. */
export function mayChange({ method, routeOptions }: FastifyRequest): boolean {
  return !isSafe(method) && !routeOptions.config.scope?.startsWith('read:')
}
