import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** Its name; OpenAPI tells it. */
export const SESSION = 'graphstead_session'

/** The token of the session by the header Cookie (RFC 6265); undefined where there is none. */
export function sessionOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[SESSION] || undefined
}

/** Set-Cookie for the token, which no script can read: it lasts so many seconds, or as long as the browser is open. */
export function sessionCookie(
  { protocol, headers }: FastifyRequest,
  token: string,
  maxAge: number | undefined
): string {
  // A proxy may speak TLS for us without our knowing; the browser does know.
  const secure = protocol === 'https' || headers.origin?.startsWith('https:') === true
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
  return stringifySetCookie({ name: SESSION, value: token, ...attributes, ...(maxAge !== undefined && { maxAge }) })
}
