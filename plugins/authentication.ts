import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Actor } from '../db/audits.ts'
import type { UserRow } from '../db/tables.ts'
import { findAccess } from '../db/users.ts'
import { refusals } from '../schemas/responses.ts'
import type { Role } from '../schemas/user.ts'
import { auditRequestOf } from '../src/audit-request.ts'
import { ProblemError } from '../src/errors.ts'
import type { Plugin } from './plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes every route of this context, and of those inside it, ask for a valid token. */
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

/** Who is asking (a token) and what they may do (a role). */
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
  const claimsOf = remembered((request) => claimsIn(request, (token) => app.jwt.verify<Claims>(token)))

  app.decorate('issueToken', ({ login, tokenVersion }, rememberMe) => {
    const lifetime = rememberMe ? 30 * DAY : DAY
    const token = app.jwt.sign({ sub: login, jti: randomUUID(), tv: tokenVersion }, { expiresIn: lifetime })
    return { token, lifetime }
  })

  app.decorate('authenticate', (context) => {
    context.addHook('onRequest', async (request) => {
      const claims = claimsOf(request)
      const access = await findAccess(app.store.read, claims.sub)
      if (!access?.enabled || access.tokenVersion !== claims.tv) throw new ProblemError('token-invalid')
      request.actor = new Caller(claims.sub, access.role, request)
    })
    document(context, { security: [{ bearer: [] }], response: refusals(401) })
  })

  app.decorate('allow', (context, ...roles) => {
    const check: onRequestHookHandler = (request, _reply, done) => {
      if (!roles.includes(request.actor.role)) throw new ProblemError('forbidden')
      done()
    }
    context.addHook('onRequest', check)
    document(context, { response: refusals(403) })
  })
}

export default fp(authentication, { name: 'authentication', dependencies: ['store'] })

/** What the request's token says. Throws `token-missing` and `token-invalid`. */
function claimsIn({ headers: { authorization } }: FastifyRequest, verify: (token: string) => Claims): Claims {
  if (authorization === undefined) throw new ProblemError('token-missing')
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  if (token === undefined) throw new ProblemError('token-invalid')
  let claims: Claims
  try {
    claims = verify(token)
  } catch {
    throw new ProblemError('token-invalid')
  }
  if (typeof claims.sub !== 'string') throw new ProblemError('token-invalid')
  return claims
}

/** So many tokens are remembered; verifying one takes as long as all else that a small request needs. */
const REMEMBERED = 10_000

/** Reads a header with a token once, and remembers what it says until it expires; the oldest is forgotten first. */
function remembered(read: (request: FastifyRequest) => Claims): (request: FastifyRequest) => Claims {
  const known = new Map<string, Claims>()
  return (request) => {
    const { authorization = '' } = request.headers
    const claims = known.get(authorization)
    if (claims && claims.exp * 1000 > Date.now()) return claims
    known.delete(authorization)
    const verified = read(request)
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
    known.set(authorization, verified)
    return verified
  }
}

/** Adds to the schemas of the context's routes what its rights mean for them. */
function document(context: FastifyInstance, { security, response }: { security?: object[]; response: object }) {
  context.addHook('onRoute', (route) => {
    const { schema = {} } = route
    route.schema = {
      ...schema,
      ...(security && { security: security as Record<string, string[]>[] }),
      response: { ...response, ...(schema.response as object | undefined) }
    }
  })
}
