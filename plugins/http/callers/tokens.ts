import type { FastifyJWTOptions } from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import { LruCache } from '../../../graph/jobs/lru-cache.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { sessionOf } from './cookies.ts'
import { isSafe } from './safe-methods.ts'
import { expectSameOrigin } from './same-origin.ts'

/** The claims of a token issued at sign-in (RFC 7519). */
export interface Claims {
  /** The login. */
  sub: string
  /** The id of the token and its session. */
  jti: string
  iat: number
  exp: number
  /** The user's token version when the token was issued. */
  tv: number
  /** Whether the token belongs to a browser. Browser sessions expire when they are idle. */
  ses?: true
  /** Whether the user signed in with an identity provider. */
  idp?: true
}

const ISSUER = 'graphstead'

/** Returns options for signing and verifying tokens for this audience with the key. */
export function jwtOptionsOf(audience: string, key: Buffer | string) {
  return {
    secret: key,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: audience },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: audience,
      checkTyp: 'JWT',
      requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'tv']
    }
  } satisfies FastifyJWTOptions
}

/** Returns the token in the Authorization header, if any. Throws `token-invalid`. */
export function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  if (token === undefined) throw new ProblemError('token-invalid')
  return token
}

/**
 * Returns the token from the header, or else from the session cookie. Throws `token-missing` or `token-invalid`. Throws
 * `cross-origin` for changes from another site that are authenticated by cookie, since browsers send cookies with requests from
 * any page.
 */
export function tokenOf(request: FastifyRequest): string {
  const bearer = bearerOf(request)
  if (bearer !== undefined) return bearer
  const session = sessionOf(request)
  if (!session) throw new ProblemError('token-missing')
  if (!isSafe(request.method)) expectSameOrigin(request)
  return session
}

/** The maximum number of cached tokens. Verifying a token takes as long as the rest of a small request. */
const CACHED = 10_000

/**
 * Returns a function that verifies each token once and caches its claims until the token expires or is evicted. It throws
 * `token-invalid`.
 */
export function cacheClaims(verify: (token: string) => Claims): (token: string) => Claims {
  const known = new LruCache<Claims, string>(CACHED)
  return (token) => {
    const claims = known.get(token)
    if (claims && claims.exp * 1000 > Date.now()) return claims
    let verified: Claims
    try {
      verified = verify(token)
    } catch {
      throw new ProblemError('token-invalid')
    }
    if (typeof verified.sub !== 'string' || typeof verified.jti !== 'string') throw new ProblemError('token-invalid')
    known.set(token, verified)
    return verified
  }
}
