import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Actor } from '../db/audits.ts'
import type { UserRow } from '../db/tables.ts'
import { endSession, findAccess, findUser } from '../db/users.ts'
import { refusals } from '../schemas/responses.ts'
import type { Role } from '../schemas/user.ts'
import { auditRequestOf } from '../src/audit-request.ts'
import { ProblemError } from '../src/errors.ts'
import { expectSameOrigin } from '../src/same-origin.ts'
import { sessionCookie, sessionOf } from '../src/session-cookie.ts'
import type { Plugin } from './plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Who sent the request. Throws `token-missing`, `token-invalid` and `cross-origin`. */
    identify(request: FastifyRequest): Promise<Actor>
    /** Ends the session of the request's cookie, if it has one: its token is not valid any more, wherever it is. */
    endSession(request: FastifyRequest): Promise<void>
    /** Makes every route of this context, and of those inside it, ask for a valid token, or for a session. */
    authenticate(context: FastifyInstance): void
    /** Makes every route of this context ask for one of these roles. Goes with `authenticate`. */
    allow(context: FastifyInstance, ...roles: Role[]): void
    /** A token for the user, and its lifetime in seconds. */
    issueToken(user: UserRow, rememberMe: boolean): { token: string; lifetime: number }
  }
  interface FastifyRequest {
    /** Who is logged in, with the role as it is now. Stands where `authenticate` does. */
    actor: Actor
  }
  interface FastifyReply {
    /** Gives the browser a token in a cookie that no script can read. */
    startSession(user: UserRow, rememberMe: boolean): FastifyReply
    /** Takes it away. */
    forgetSession(): FastifyReply
  }
}

/** Who sent a request. */
class Caller implements Actor {
  readonly login: string
  readonly role: Role
  readonly #request: FastifyRequest

  constructor(login: string, role: Role, request: FastifyRequest) {
    this.login = login
    this.role = role
    this.#request = request
  }

  /** Only an event asks for it. */
  get request() {
    return auditRequestOf(this.#request)
  }
}

interface Claims {
  sub: string
  jti: string
  iat: number
  exp: number
  /** The user's token version when it was issued. */
  tv: number
}

const ISSUER = 'graphstead'
const AUDIENCE = 'graphstead'
const DAY = 24 * 60 * 60

/** Who is asking (a token, or a session's cookie that holds one) and what they may do (a role). */
const authentication: Plugin<{ tokenKey: Buffer }> = async (app, { tokenKey }) => {
  await app.register(jwt, {
    secret: tokenKey,
    sign: { algorithm: 'HS256', iss: ISSUER, aud: AUDIENCE },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      checkTyp: 'JWT',
      requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp', 'tv']
    }
  })
  app.decorateRequest('actor')
  const claimsOf = remembered((token) => app.jwt.verify<Claims>(token))

  app.decorate('issueToken', ({ login, tokenVersion }, rememberMe) => {
    const lifetime = rememberMe ? 30 * DAY : DAY
    const token = app.jwt.sign({ sub: login, jti: randomUUID(), tv: tokenVersion }, { expiresIn: lifetime })
    return { token, lifetime }
  })

  app.decorateReply('startSession', function (this: FastifyReply, user, rememberMe) {
    const { token, lifetime } = app.issueToken(user, rememberMe)
    // Who is not to be remembered is forgotten with the window.
    return this.header('set-cookie', sessionCookie(this.request, token, rememberMe ? lifetime : undefined))
  })
  app.decorateReply('forgetSession', function (this: FastifyReply) {
    return this.header('set-cookie', sessionCookie(this.request, '', 0))
  })

  /** Who has the token. Throws `token-invalid`. */
  async function callerOf(token: string, request: FastifyRequest) {
    const claims = claimsOf(token)
    const access = await findAccess(app.store.read, claims.sub, claims.jti)
    if (!access?.enabled || access.tokenVersion !== claims.tv) throw new ProblemError('token-invalid')
    return { caller: new Caller(claims.sub, access.role, request), claims }
  }

  app.decorate('identify', async (request) => (await callerOf(tokenOf(request), request)).caller)

  app.decorate('endSession', async (request) => {
    const token = sessionOf(request.headers.cookie)
    if (!token) return
    const { caller, claims } = await callerOf(token, request)
    await app.store.write(async (trx) => {
      const user = await findUser(trx, caller.login)
      if (user) await endSession(trx, caller, user, { id: claims.jti, expiresAt: claims.exp * 1000 })
    })
  })

  app.decorate('authenticate', (context) => {
    context.addHook('onRequest', async (request) => {
      request.actor = await app.identify(request)
    })
    const security = [{ bearer: [] }, { session: [] }]
    // What changes something is refused to a session from elsewhere.
    document(context, (method) => ({ security, response: method === 'GET' ? refusals(401) : refusals(401, 403) }))
  })

  app.decorate('allow', (context, ...roles) => {
    const check: onRequestHookHandler = (request, _reply, done) => {
      if (!roles.includes(request.actor.role)) throw new ProblemError('forbidden')
      done()
    }
    context.addHook('onRequest', check)
    document(context, () => ({ response: refusals(403) }))
  })
}

export default fp(authentication, { name: 'authentication', dependencies: ['store'] })

/**
 * The token of the header, else that of the session. Throws `token-missing` and `token-invalid`; and `cross-origin`, since the
 * browser sends a cookie whoever it was that made it send a request.
 */
function tokenOf(request: FastifyRequest): string {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
    if (token === undefined) throw new ProblemError('token-invalid')
    return token
  }
  const session = sessionOf(cookie)
  if (!session) throw new ProblemError('token-missing')
  if (request.method !== 'GET' && request.method !== 'HEAD') expectSameOrigin(request)
  return session
}

/** So many tokens are remembered; verifying one takes as long as all else that a small request needs. */
const REMEMBERED = 10_000

/**
 * Verifies a token once, and remembers what it says until it expires; the oldest is forgotten first. Throws
 * `token-invalid`.
 */
function remembered(verify: (token: string) => Claims): (token: string) => Claims {
  const known = new Map<string, Claims>()
  return (token) => {
    const claims = known.get(token)
    if (claims && claims.exp * 1000 > Date.now()) return claims
    known.delete(token)
    let verified: Claims
    try {
      verified = verify(token)
    } catch {
      throw new ProblemError('token-invalid')
    }
    if (typeof verified.sub !== 'string' || typeof verified.jti !== 'string') throw new ProblemError('token-invalid')
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
    known.set(token, verified)
    return verified
  }
}

/** Adds to the schemas of the context's routes what its rights mean for them, by their methods. */
function document(context: FastifyInstance, rightsOf: (method: string) => { security?: object[]; response: object }) {
  context.addHook('onRoute', (route) => {
    const { schema = {}, method } = route
    const { security, response } = rightsOf(String(method))
    route.schema = {
      ...schema,
      ...(security && { security: security as Record<string, string[]>[] }),
      response: { ...response, ...(schema.response as object | undefined) }
    }
  })
}
