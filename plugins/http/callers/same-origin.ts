import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'

/**
 * Throws `cross-origin` unless the browser says that a page of this server made the request: by Sec-Fetch-Site (Fetch
 * Metadata), which it sends to trustworthy addresses, else by Origin (RFC 6454), which it sends with requests for changes.
 */
export function expectSameOrigin({ headers, host }: FastifyRequest) {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? hostOf(headers.origin) === host : site === 'same-origin'
  if (!isSame) throw new ProblemError('cross-origin')
}

function hostOf(origin: string | undefined) {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
