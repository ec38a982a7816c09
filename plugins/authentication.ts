import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { type Actor, UserActor } from '../db/actors.ts'
import {
  beginSession,
  findSessionAccess,
  holdSession,
  type IdleLimits,
  isIdle,
  isStale,
  type KeptSession,
  noteUse,
  removeIdleSession
} from '../db/sessions.ts'
import type { Trx } from '../db/store.ts'
import type { UserRow } from '../db/tables.ts'
import { endSession, findAccess, findUser, holdAccess, lockUser, lockUsers } from '../db/users.ts'
import { ProblemError } from '../schemas/errors.ts'
import { refusals } from '../schemas/responses.ts'
import type { Role } from '../schemas/user.ts'
import { auditRequestOf } from './http/audit-request.ts'
import { deviceCookie, deviceOf, endedSessionCookies, sessionCookies, sessionOf } from './http/cookies.ts'
import { deriveKey } from './http/derived-keys.ts'
import type { Plugin } from './http/plugin.ts'
import { expectSameOrigin } from './http/same-origin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Who sent the request. Throws `token-missing`, `token-invalid`, `session-idle` and `cross-origin`. */
    identify(request: FastifyRequest): Promise<Actor>
    /** Ends the session of the request's cookie, if it has one: its token is not valid any more, wherever it is. */
    endSession(request: FastifyRequest): Promise<void>
    /** Makes every route of this context, and of those inside it, ask for a valid token, or for a session. */
    authenticate(context: FastifyInstance): void
    /** Makes every route of this context ask for one of these roles. Goes with `authenticate`. */
    allow(context: FastifyInstance, ...roles: Role[]): void
    /**
     * Makes every route of this context refuse a session until the user has a password of their own: a given one opens
     * nothing but the way to change it. Programs, which cannot, go on with tokens. Goes with `authenticate`.
     */
    expectOwnPassword(context: FastifyInstance): void
    /** Where the attempt to show the password of the account comes from, for the throttle. */
    sourceOf(request: FastifyRequest, login: string): { address: string; device?: string; session?: string }
    /** A token for a program of the user. */
    issueToken(user: UserRow, rememberMe: boolean): IssuedToken
    /** A token for a browser, whose session begins with the unit: it ends after a time without use. */
    issueSession(trx: Trx, user: UserRow, rememberMe: boolean): Promise<IssuedToken>
  }
  interface FastifyRequest {
    /** Who sent the request, with the rights as they are now. Stands where `authenticate` does. */
    actor: Actor
    /**
     * Runs the unit like `store.write`, for the actor as they are by then: whatever came in between, the unit gets the
     * role of now. Throws `token-invalid` or `session-idle` where they may not act any more, `forbidden` where they may
     * not do this, and `password-change-required`.
     */
    write<T>(unit: ActingUnit<T>): Promise<T>
    /** The same for what changes users: such units run one after another. */
    writeUsers<T>(unit: ActingUnit<T>): Promise<T>
  }
  interface FastifyReply {
    /** Gives the browser the token of `issueSession` in a cookie that no script can read. */
    startSession(user: UserRow, issued: IssuedToken): FastifyReply
    /** Takes it away. */
    forgetSession(): FastifyReply
  }
}

interface IssuedToken {
  token: string
  /** In seconds. */
  lifetime: number
  rememberMe: boolean
}

/** A unit of work, and who it is done for. */
type ActingUnit<T> = (trx: Trx, actor: Actor) => Promise<T>

/** The user who sent a request. */
class Caller extends UserActor {
  /** What the token says. */
  readonly claims: Claims
  /** The roles of which each context of the route asks for one. */
  readonly allowed: (readonly Role[])[] = []
  /** Whether the route is only for who has a password that nobody else gave. */
  needsOwnPassword = false
  readonly #mustChangePassword: boolean
  readonly #request: FastifyRequest
  readonly #idle: IdleLimits
  /** When the request came, which is a use of the session. */
  readonly #usedAt = Date.now()

  constructor(claims: Claims, { role, mustChangePassword }: Access, request: FastifyRequest, idle: IdleLimits) {
    super(claims.sub, role)
    this.#mustChangePassword = Boolean(mustChangePassword)
    this.claims = claims
    this.#request = request
    this.#idle = idle
  }

  /** Asks for one of these roles, now and whenever it is looked at again. Throws `forbidden`. */
  demand(roles: readonly Role[]) {
    if (!roles.includes(this.role)) throw new ProblemError('forbidden')
    this.allowed.push(roles)
  }

  /** Asks who has a session for a password of their own, now and whenever it is looked at again. Throws `password-change-required`. */
  demandOwnPassword() {
    const hasSession = this.claims.ses || this.#request.headers.authorization === undefined
    if (this.#mustChangePassword && hasSession) throw new ProblemError('password-change-required')
    this.needsOwnPassword = true
  }

  /** The same caller as they are inside of the unit. Throws `token-invalid`, `session-idle`, `forbidden` and `password-change-required`. */
  async again(trx: Trx): Promise<Caller> {
    const { claims, allowed } = this
    const access = await holdAccess(trx, claims.sub, claims.jti)
    if (!isValid(claims, access)) throw new ProblemError('token-invalid')
    if (claims.ses) {
      const session = await holdSession(trx, claims.jti)
      if (!session) throw new ProblemError('token-invalid')
      const lastUsedAt = Math.max(session.lastUsedAt, this.#usedAt)
      if (isIdle({ ...session, lastUsedAt }, this.#idle)) throw new ProblemError('session-idle')
    }
    if (access.role === this.role && Boolean(access.mustChangePassword) === this.#mustChangePassword) return this
    const caller = new Caller(claims, access, this.#request, this.#idle)
    if (this.needsOwnPassword) caller.demandOwnPassword()
    for (const roles of allowed) caller.demand(roles)
    return caller
  }

  /** Only an event asks for it. */
  get request() {
    return auditRequestOf(this.#request)
  }
}

/** What a caller may do, as the store has it. */
type Access = Pick<UserRow, 'role' | 'mustChangePassword'>

interface Claims {
  sub: string
  jti: string
  iat: number
  exp: number
  /** The user's token version when it was issued. */
  tv: number
  /** Whether it is for a browser, whose session ends after a time without use. */
  ses?: true
}

const ISSUER = 'graphstead'
const AUDIENCE = 'graphstead'
const DAY = 24 * 60 * 60

/** Who is asking (a token, or a session's cookie that holds one) and what they may do (a role). */
const authentication: Plugin<{ tokenKey: Buffer; idle: IdleLimits }> = async (app, { tokenKey, idle }) => {
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
  app.decorateRequest('write', function <T>(this: FastifyRequest, unit: ActingUnit<T>) {
    const caller = this.actor as Caller
    return app.store.write(async (trx) => unit(trx, await caller.again(trx)))
  })
  app.decorateRequest('writeUsers', function <T>(this: FastifyRequest, unit: ActingUnit<T>) {
    const caller = this.actor as Caller
    return app.store.write(async (trx) => {
      await lockUsers(trx, caller.account)
      return unit(trx, await caller.again(trx))
    })
  })
  const deviceKey = deriveKey(tokenKey, 'graphstead device')
  app.decorate('sourceOf', (request, login) => {
    const { ip: address, actor } = request
    if (actor) return { address, session: (actor as Caller).claims.jti }
    const device = deviceOf(request, login, deviceKey)
    return { address, ...(device !== undefined && { device }) }
  })
  const claimsOf = remembered((token) => app.jwt.verify<Claims>(token))

  function issue({ login, tokenVersion }: UserRow, rememberMe: boolean, more: Pick<Claims, 'jti' | 'ses'>) {
    const lifetime = rememberMe ? 30 * DAY : DAY
    const token = app.jwt.sign({ sub: login, tv: tokenVersion, ...more }, { expiresIn: lifetime })
    return { token, lifetime, rememberMe }
  }
  app.decorate('issueToken', (user, rememberMe) => issue(user, rememberMe, { jti: randomUUID() }))
  app.decorate('issueSession', async (trx, user, rememberMe) => {
    const id = randomUUID()
    await beginSession(trx, { id, remembered: rememberMe })
    return issue(user, rememberMe, { jti: id, ses: true })
  })

  app.decorateReply('startSession', function (this: FastifyReply, user, { token, lifetime, rememberMe }) {
    // Who is not to be remembered is forgotten with the window.
    const cookies = sessionCookies(this.request, token, rememberMe ? lifetime : undefined)
    return this.header('set-cookie', [...cookies, deviceCookie(this.request, user.login, deviceKey)])
  })
  app.decorateReply('forgetSession', function (this: FastifyReply) {
    return this.header('set-cookie', endedSessionCookies(this.request))
  })

  /** Who has the token. Throws `token-invalid` and `session-idle`. */
  async function callerOf(token: string, request: FastifyRequest) {
    const claims = claimsOf(token)
    const { sub, jti } = claims
    if (!claims.ses) {
      const access = await findAccess(app.store.read, sub, jti)
      if (!isValid(claims, access)) throw new ProblemError('token-invalid')
      return new Caller(claims, access, request, idle)
    }
    const access = await findSessionAccess(app.store.read, sub, jti)
    if (!isValid(claims, access)) throw new ProblemError('token-invalid')
    await use(jti, access.session)
    return new Caller(claims, access, request, idle)
  }

  /** Sessions whose use is just being written down. */
  const noting = new Set<string>()

  /** Counts as a use of the session. Throws `session-idle`: then it has ended for good, whatever the clock says later. */
  async function use(id: string, session: KeptSession | undefined) {
    if (!session) throw new ProblemError('session-idle')
    if (isIdle(session, idle)) {
      // Where that cannot be written, housekeeping does it later.
      await app.store.write((trx) => removeIdleSession(trx, id, session)).catch(() => {})
      throw new ProblemError('session-idle')
    }
    if (!isStale(session, idle) || noting.has(id)) return
    noting.add(id)
    // Nobody waits for it, and reading goes on where nothing can be written.
    app.store
      .write((trx) => noteUse(trx, id))
      .catch((error: unknown) => app.log.debug({ err: error }, 'the use of a session could not be written down'))
      .finally(() => noting.delete(id))
  }

  app.decorate('identify', async (request) => callerOf(tokenOf(request), request))

  app.decorate('endSession', async (request) => {
    const token = sessionOf(request)
    if (!token) return
    const caller = await callerOf(token, request)
    const { jti: id, exp } = caller.claims
    await app.store.write(async (trx) => {
      // What is being done for the session is done first.
      await lockUser(trx, caller.account)
      const actor = await caller.again(trx)
      const user = await findUser(trx, actor.account)
      if (user) await endSession(trx, actor, user, { id, expiresAt: exp * 1000 })
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

  app.decorate('expectOwnPassword', (context) => {
    const check: onRequestHookHandler = (request, _reply, done) => {
      const caller = request.actor as Caller
      caller.demandOwnPassword()
      done()
    }
    context.addHook('onRequest', check)
    document(context, () => ({ response: refusals(403) }))
  })

  app.decorate('allow', (context, ...roles) => {
    const check: onRequestHookHandler = (request, _reply, done) => {
      const caller = request.actor as Caller
      caller.demand(roles)
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
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
    if (token === undefined) throw new ProblemError('token-invalid')
    return token
  }
  const session = sessionOf(request)
  if (!session) throw new ProblemError('token-missing')
  if (request.method !== 'GET' && request.method !== 'HEAD') expectSameOrigin(request)
  return session
}

/** Whether who has the token may act: it has not expired, and the user is enabled and has ended none of it. */
function isValid<Held extends { enabled: boolean | number; tokenVersion: number }>(
  { tv, exp }: Claims,
  access: Held | undefined
): access is Held {
  return Boolean(access?.enabled) && access?.tokenVersion === tv && exp * 1000 > Date.now()
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
