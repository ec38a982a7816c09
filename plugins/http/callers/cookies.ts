import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { hmacOf } from '../derived-keys.ts'
import { isSignature } from '../signatures.ts'

// With TLS the names begin with `__Host-`: browsers take such a cookie only from this very host and by TLS, so that neither
// another host of the domain nor an attacker on the network can set one. Without TLS browsers refuse them.

/** The cookie that holds the token of a session. OpenAPI documents its name. */
export const SESSION = 'graphstead_session'

/** The cookie of a browser that has logged in to an account before, for the throttle. It gives no rights. */
const DEVICE = 'graphstead_device'

/** The cookie of a browser that is on its way to the identity provider and back. */
const FLOW = 'graphstead_sign_in'

/** The time for which a browser may stay at the identity provider, in seconds. */
export const FLOW_LIFETIME = 10 * 60

const HOST = '__Host-'

/** The time for which a device is known, in seconds: half a year. */
const DEVICE_LIFETIME = 180 * 24 * 60 * 60

/** The parts of a request that cookies depend on. */
export type Sender = Pick<FastifyRequest, 'protocol' | 'headers'>

/** Returns the token of the session; undefined without one. Throws `token-invalid` for several. */
export function sessionOf(request: Sender): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : readCookie(request, cookie, SESSION)
}

/** Tells whether the browser has sent a session, valid or not. */
export function hasSession(request: Sender): boolean {
  try {
    return sessionOf(request) !== undefined
  } catch {
    return true
  }
}

/** Returns Set-Cookie for the token, which no script can read. It lasts `maxAge` seconds, or until the window closes. */
export function sessionCookies(request: Sender, token: string, maxAge: number | undefined): string[] {
  const isSecure = speaksTls(request)
  const cookies = [setCookie(SESSION, isSecure, token, maxAge)]
  // A cookie may be left from a time without TLS.
  if (isSecure) cookies.push(setCookie(SESSION, false, '', 0))
  return cookies
}

/** Returns Set-Cookie that removes the session's cookie under each of its names. */
export function endedSessionCookies(request: Sender): string[] {
  const plain = setCookie(SESSION, false, '', 0)
  return speaksTls(request) ? [setCookie(SESSION, true, '', 0), plain] : [plain]
}

/** Returns the id of the device, if it has logged in to the account before. */
export function deviceOf(request: Sender, login: string, key: Buffer): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined || !cookie.includes(DEVICE)) return undefined
  const [id = '', expiresAt = '', code = ''] = (readSingle(request, cookie, DEVICE) ?? '').split('.')
  const expected = hmacOf(key, login, id, expiresAt)
  return isSignature(code, expected) && Number(expiresAt) > Date.now() ? id : undefined
}

/** Returns Set-Cookie for a device that has logged in to the account. A known device keeps its id. */
export function deviceCookie(request: Sender, login: string, key: Buffer): string {
  const id = deviceOf(request, login, key) ?? randomBytes(16).toString('base64url')
  const expiresAt = String(Date.now() + DEVICE_LIFETIME * 1000)
  return setCookie(
    DEVICE,
    speaksTls(request),
    [id, expiresAt, hmacOf(key, login, id, expiresAt)].join('.'),
    DEVICE_LIFETIME
  )
}

/** Returns Set-Cookie for the secrets of a sign-in. It comes along when the identity provider sends the browser back. */
export function flowCookie(request: Sender, value: string): string {
  return setCookie(FLOW, speaksTls(request), value, FLOW_LIFETIME, 'lax')
}

/** Returns Set-Cookie that removes the secrets of a sign-in. */
export function endedFlowCookie(request: Sender): string {
  return setCookie(FLOW, speaksTls(request), '', 0, 'lax')
}

/** Returns the secrets of a sign-in; undefined if there are none, or several. */
export function flowOf(request: Sender): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : readSingle(request, cookie, FLOW)
}

/** Returns the value of the cookie; undefined if it was sent twice. */
function readSingle(request: Sender, header: string, name: string) {
  try {
    return readCookie(request, header, name)
  } catch {
    return undefined
  }
}

/**
 * Returns the value of the cookie. With TLS only the `__Host-` name counts. Without, that name takes precedence, since a proxy may
 * speak TLS without the server knowing. Throws `token-invalid` for a cookie that was sent twice.
 */
function readCookie({ protocol }: Sender, header: string, name: string): string | undefined {
  const cookies = parseCookie(header)
  const secure = HOST + name
  const used = protocol === 'https' || cookies[secure] !== undefined ? secure : name
  if (header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === used).length > 1) {
    throw new ProblemError('token-invalid', { detail: `The cookie ${used} was sent twice.` })
  }
  return cookies[used] || undefined
}

/** Tells whether the browser speaks TLS, perhaps with a proxy. The server cannot know that, but the browser's Origin tells it. */
function speaksTls({ protocol, headers }: Sender) {
  return protocol === 'https' || headers.origin?.startsWith('https:') === true
}

function setCookie(
  name: string,
  secure: boolean,
  value: string,
  maxAge: number | undefined,
  sameSite: 'strict' | 'lax' = 'strict'
) {
  const attributes = { path: '/', httpOnly: true, sameSite, secure } as const
  const cookie = { name: secure ? HOST + name : name, value, ...attributes }
  return stringifySetCookie({ ...cookie, ...(maxAge !== undefined && { maxAge }) })
}
