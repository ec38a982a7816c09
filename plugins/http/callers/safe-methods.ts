import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Tells whether requests with this method make no changes (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE.has(method)
}

/** Tells whether the request may make changes. An operation with a body and a scope for reading makes none. */
export function mayChange({ method, routeOptions }: FastifyRequest): boolean {
  return !isSafe(method) && !routeOptions.config.scope?.startsWith('read:')
}
