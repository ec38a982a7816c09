import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { pathOf } from './urls.ts'

/** Returns whether a browser is requesting a page: the path is outside the API, and the Accept header prefers HTML to JSON. */
export function isNavigation(request: FastifyRequest): boolean {
  if (!(request.method === 'GET' || request.method === 'HEAD')) return false
  if (/^\/(api|management)(\/|$)/.test(pathOf(request.url))) return false
  return prefersPage(request)
}

/** Returns whether the sender prefers HTML to JSON. */
export function prefersPage({ headers: { accept } }: FastifyRequest): boolean {
  // Browsers send about 150 characters. Comparing thousands of media types would block the event loop.
  if (accept === undefined || accept.length > 1024) return false
  const types = ['application/problem+json', 'application/json', 'text/html']
  return new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html'
}
