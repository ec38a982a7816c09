import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'

/**
 * Throws `cross-origin` unless the browser reports that the request comes from a page of this server. Browsers report this in
 * Sec-Fetch-Site (Fetch Metadata) if the server's address is trustworthy, and otherwise in Origin (RFC 6454) for requests that
 * make changes.
 */
export function expectSameOrigin({ headers, host }: FastifyRequest) {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? hostOf(headers.origin) === host : site === 'same-origin'
  if (!isSame) throw new ProblemError('cross-origin')
}

function hostOf(origin: string | undefined) {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
