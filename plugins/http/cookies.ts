import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../schemas/errors.ts'

// Under TLS their names begin with `__Host-`: browsers take such a cookie from this very host only, and by TLS only, so that
// neither another host of the domain nor somebody on the way can put one there. Without TLS browsers do not take them at all.

/** Stands for a token. OpenAPI tells its name. */
export const SESSION = 'graphstead_session'

/** Says that this browser has signed in to an account before: it is no stranger to the throttle. Opens nothing by itself. */
const DEVICE = 'graphstead_device'

const HOST = '__Host-'

/** How long a device is known, in seconds: half a year. */
const DEVICE_LIFETIME = 180 * 24 * 60 * 60

/** The token of the session; undefined where there is none. Throws `token-invalid` where there are several. */
export function sessionOf(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers
  return cookie === undefined ? undefined : readCookie(request, cookie, SESSION)
}

/** Set-Cookie for the token, which no script can read: it lasts so many seconds, or as long as the browser is open. */
export function sessionCookies(request: FastifyRequest, token: string, maxAge: number | undefined): string[] {
  const isSecure = speaksTls(request)
  const cookies = [setCookie(SESSION, isSecure, token, maxAge)]
  // What may have stayed from a time without TLS.
  if (isSecure) cookies.push(setCookie(SESSION, false, '', 0))
  return cookies
}

/** Takes the session away, whatever it is called. */
export function endedSessionCookies(request: FastifyRequest): string[] {
  const plain = setCookie(SESSION, false, '', 0)
  return speaksTls(request) ? [setCookie(SESSION, true, '', 0), plain] : [plain]
}

/** The id of the device, if it has signed in to the account before. */
export function deviceOf(request: FastifyRequest, login: string, key: Buffer): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined || !cookie.includes(DEVICE)) return undefined
  const [id = '', expiresAt = '', code = ''] = (readSingle(request, cookie, DEVICE) ?? '').split('.')
  const expected = codeOf(key, login, id, expiresAt)
  const isOurs = code.length === expected.length && timingSafeEqual(Buffer.from(code), Buffer.from(expected))
  return isOurs && Number(expiresAt) > Date.now() ? id : undefined
}

/** Set-Cookie for a device that has signed in to the account. One that is known keeps its id. */
export function deviceCookie(request: FastifyRequest, login: string, key: Buffer): string {
  const id = deviceOf(request, login, key) ?? randomBytes(16).toString('base64url')
  const expiresAt = String(Date.now() + DEVICE_LIFETIME * 1000)
  return setCookie(
    DEVICE,
    speaksTls(request),
    [id, expiresAt, codeOf(key, login, id, expiresAt)].join('.'),
    DEVICE_LIFETIME
  )
}

function codeOf(key: Buffer, ...parts: string[]) {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}

/** The same, where one that was sent twice counts as none. */
function readSingle(request: FastifyRequest, header: string, name: string) {
  try {
    return readCookie(request, header, name)
  } catch {
    return undefined
  }
}

/**
 * The value of the cookie. By TLS only the name counts that nobody else can give; where it may or may not be TLS, as a proxy
 * speaks it for us without our knowing, that name wins. Throws `token-invalid` for one that was sent twice.
 */
function readCookie({ protocol }: FastifyRequest, header: string, name: string): string | undefined {
  const cookies = parseCookie(header)
  const secure = HOST + name
  const used = protocol === 'https' || cookies[secure] !== undefined ? secure : name
  if (header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === used).length > 1) {
    throw new ProblemError('token-invalid', { detail: `The cookie ${used} was sent twice.` })
  }
  return cookies[used] || undefined
}

/** Whether the browser speaks TLS. A proxy may speak it for us without our knowing; the browser does know. */
function speaksTls({ protocol, headers }: FastifyRequest) {
  return protocol === 'https' || headers.origin?.startsWith('https:') === true
}

function setCookie(name: string, secure: boolean, value: string, maxAge: number | undefined) {
  const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
  const cookie = { name: secure ? HOST + name : name, value, ...attributes }
  return stringifySetCookie({ ...cookie, ...(maxAge !== undefined && { maxAge }) })
}
