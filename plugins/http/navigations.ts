import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { pathOf } from './urls.ts'

/** Tells whether a browser asks for a page: outside of the API, and with an Accept that prefers HTML to JSON. */
export function isNavigation({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (accept === undefined || !(method === 'GET' || method === 'HEAD')) return false
  if (/^\/(api|management)(\/|$)/.test(pathOf(url))) return false
  const types = ['application/problem+json', 'application/json', 'text/html']
  return new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html'
}
