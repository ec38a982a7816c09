import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Actor } from '../db/audits.ts'
import type { Db } from '../db/store.ts'
import type { UserRow } from '../db/tables.ts'
import { findUser } from '../db/users.ts'
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

  app.decorate('issueToken', ({ login, tokenVersion }, rememberMe) => {
    const lifetime = rememberMe ? 30 * DAY : DAY
    const token = app.jwt.sign({ sub: login, jti: randomUUID(), tv: tokenVersion }, { expiresIn: lifetime })
    return { token, lifetime }
  })

  app.decorate('authenticate', (context) => {
    context.addHook('onRequest', async (request) => {
      request.actor = await actorOf(request, app.store.read, (token) => app.jwt.verify<Claims>(token))
    })
    document(context, { security: [{ bearer: [] }], response: refusals(401) })
  })

  app.decorate('allow', (context, ...roles) => {
    const check: onRequestHookHandler = async (request) => {
      if (!roles.includes(request.actor.role)) throw new ProblemError('forbidden')
    }
    context.addHook('onRequest', check)
    document(context, { response: refusals(403) })
  })
}

export default fp(authentication, { name: 'authentication', dependencies: ['store'] })

/** The user of the request's token. Throws `token-missing` and `token-invalid`. */
async function actorOf(request: FastifyRequest, db: Db, verify: (token: string) => Claims): Promise<Actor> {
  const { authorization } = request.headers
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new ProblemError(authorization === undefined ? 'token-missing' : 'token-invalid')
  let claims: Claims
  try {
    claims = verify(token)
  } catch {
    throw new ProblemError('token-invalid')
  }
  if (typeof claims.sub !== 'string') throw new ProblemError('token-invalid')
  const user = await findUser(db, claims.sub)
  if (!user?.enabled || user.tokenVersion !== claims.tv) throw new ProblemError('token-invalid')
  return { login: user.login, role: user.role, request: auditRequestOf(request) }
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
