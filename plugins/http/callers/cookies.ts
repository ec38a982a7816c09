import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { hmacOf } from '../derived-keys.ts'
import { isSignature } from '../signatures.ts'

// Over TLS, cookie names start with `__Host-`. Browsers accept such a cookie only from this exact host and over TLS, so neither
// another host of the domain nor an attacker on the network can set one. Without TLS, browsers refuse these names.

/** The name of the cookie that holds the session token, as documented in OpenAPI. */
export const SESSION = 'graphstead_session'

/** The name of the cookie that lets the throttle recognize a browser that has signed in before. It grants no rights. */
const DEVICE = 'graphstead_device'

/** The name of the cookie that holds the secrets of a sign-in through the identity provider. */
const FLOW = 'graphstead_sign_in'

/** The maximum duration of a sign-in through the identity provider, in seconds. */
export const FLOW_LIFETIME = 10 * 60

const HOST = '__Host-'

/** How long a device is recognized, in seconds: 180 days. */
const DEVICE_LIFETIME = 180 * 24 * 60 * 60

/** The parts of a request that its cookies depend on. */
export type Sender = Pick<FastifyRequest, 'protocol' | 'headers'>

/** Returns the session token, or undefined if there is none. Throws `token-invalid` if there are several. */
export function sessionOf(request: Sender): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : readCookie(request, cookie, SESSION)
}

/** Returns whether the browser has sent a session cookie, valid or not. */
export function hasSession(request: Sender): boolean {
  try {
    return sessionOf(request) !== undefined
  } catch {
    return true
  }
}

/**
 * Returns `Set-Cookie` headers for the token. Scripts cannot read the cookie. It lasts `maxAge` seconds, or until the browser
 * closes.
 */
export function sessionCookies(request: Sender, token: string, maxAge: number | undefined): string[] {
  const isSecure = speaksTls(request)
  const cookies = [setCookie(SESSION, isSecure, token, maxAge)]
  // Removes a cookie that may have been set before TLS was used.
  if (isSecure) cookies.push(setCookie(SESSION, false, '', 0))
  return cookies
}

/** Returns `Set-Cookie` headers that remove the session cookie under each of its names. */
export function endedSessionCookies(request: Sender): string[] {
  const plain = setCookie(SESSION, false, '', 0)
  return speaksTls(request) ? [setCookie(SESSION, true, '', 0), plain] : [plain]
}

/** Returns the id of the device if it has signed in to the account before. */
export function deviceOf(request: Sender, login: string, key: Buffer): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined || !cookie.includes(DEVICE)) return undefined
  const [id = '', expiresAt = '', code = ''] = (readSingle(request, cookie, DEVICE) ?? '').split('.')
  const expected = hmacOf(key, login, id, expiresAt)
  return isSignature(code, expected) && Number(expiresAt) > Date.now() ? id : undefined
}

/** Returns a `Set-Cookie` header for a device that has signed in to the account. A known device keeps its id. */
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

/**
 * Returns a `Set-Cookie` header for the secrets of a sign-in. Browsers also send this cookie when the identity provider
 * redirects them back.
 */
export function flowCookie(request: Sender, value: string): string {
  return setCookie(FLOW, speaksTls(request), value, FLOW_LIFETIME, 'lax')
}

/** Returns a `Set-Cookie` header that removes the secrets of a sign-in. */
export function endedFlowCookie(request: Sender): string {
  return setCookie(FLOW, speaksTls(request), '', 0, 'lax')
}

/** Returns the secrets of a sign-in, or undefined unless there is exactly one cookie. */
export function flowOf(request: Sender): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : readSingle(request, cookie, FLOW)
}

/** Returns the value of the cookie, or undefined if it was sent twice. */
function readSingle(request: Sender, header: string, name: string) {
  try {
    return readCookie(request, header, name)
  } catch {
    return undefined
  }
}

/**
 * Returns the value of the cookie. Over TLS, only the `__Host-` name is accepted. Otherwise that name takes precedence, since a
 * proxy may use TLS without the server knowing. Throws `token-invalid` if the cookie was sent twice.
 */
function readCookie({ protocol }: Sender, header: string, name: string): string | undefined {
  const cookies = parseCookie(header)
  const secure = HOST + name
  const used = protocol === 'https' || cookies[secure] !== undefined ? secure : name
  if (header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === used).length > 1) {
    throw new ProblemError('token-invalid', { detail: `The cookie ${used} was sent more than once.` })
  }
  return cookies[used] || undefined
}

/** Returns whether the browser uses TLS. If a proxy terminates TLS, only the browser's `Origin` header shows it. */
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
