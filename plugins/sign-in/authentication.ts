import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { accountOf } from '../../db/actors.ts'
import type { Trx } from '../../db/store.ts'
import { findApiTokenState, recordTokenUse } from '../../db/users/api-tokens.ts'
import { type IdleLimits, isStale, recordUse, removeIdleSession } from '../../db/users/sessions.ts'
import { hashOfToken, isTokenText, TOKEN_PREFIX } from '../../db/users/token-text.ts'
import { findTokenState } from '../../db/users/tokens.ts'
import { lockUsers } from '../../db/users/users.ts'
import { LruCache } from '../../graph/jobs/lru-cache.ts'
import { includesScope, type OperationScope } from '../../schemas/api-token.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import type { Role } from '../../schemas/user.ts'
import { tokenHolder, userHolder } from '../http/callers/requester.ts'
import { bearerOf, type Claims, cacheClaims, jwtOptionsOf, tokenOf } from '../http/callers/tokens.ts'
import type { Plugin } from '../http/plugin.ts'
import { extendSchemas } from '../http/route-schemas.ts'
import { type Caller, keptSessionOf, ProgramCaller, type Requirement, refusalOf, UserCaller } from './caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Identifies the sender of the request by its token or the given one. Throws `token-missing`, `token-invalid`,
     * `session-idle` or `cross-origin`.
     */
    identify(request: FastifyRequest, token?: string): Promise<Caller>
    /** Requires a valid token or session for all routes of this context and of nested contexts. */
    authenticate(context: FastifyInstance): void
    /** Requires one of these roles for all routes of this context. Call it after `authenticate`. */
    allow(context: FastifyInstance, ...roles: Role[]): void
    /**
     * Makes all routes of this context refuse browser sessions of users who have not yet replaced a password that someone else
     * set. Such users can only change the password. Call it after `authenticate`.
     */
    expectOwnPassword(context: FastifyInstance): void
    /**
     * Makes all routes in this context refuse callers who signed in with only a password, if the server requires a second
     * factor from them. Call it after `authenticate`.
     */
    expectSecondFactor(context: FastifyInstance): void
  }
  interface FastifyContextConfig {
    /** The scope that API tokens need for the operation. If undefined, the operation refuses API tokens. */
    scope?: OperationScope
  }
  interface FastifyRequest {
    /** The sender of the request, with their rights at the time it arrived. Set by `authenticate`. */
    actor: Caller
    /**
     * Runs the transaction like `store.write`, and passes the actor with their current rights. Throws `token-invalid` or
     * `session-idle` if the actor's token or session is no longer valid, and `forbidden` or `password-change-required` if they
     * are not allowed to do this.
     */
    write<T>(transaction: ActingTransaction<T>): Promise<T>
    /** Like `write`, for transactions that change or create the user with this login. They are serialized per user. */
    writeUser<T>(login: string, transaction: ActingTransaction<T>): Promise<T>
  }
}

/** The maximum number of API tokens to remember as valid. */
const REMEMBERED = 10_000

/** A transaction that receives the actor on whose behalf it makes changes. */
type ActingTransaction<T> = (trx: Trx, actor: Caller) => Promise<T>

/**
 * Identifies the sender of each request, and checks the rights that its context requires. To support a new kind of credential,
 * add a new kind of Caller for `identify` to return.
 */
const authentication: Plugin<{
  tokenKey: Buffer
  idle: IdleLimits
  requireSecondFactor: 'off' | 'admins' | 'all'
}> = async (app, { tokenKey, idle, requireSecondFactor }) => {
  const { store } = app
  await app.register(jwt, jwtOptionsOf('graphstead', tokenKey))
  /** The hashes of API tokens that were recently valid. */
  const valid = new LruCache<boolean, string>(REMEMBERED)
  const claimsOf = cacheClaims((token) => app.jwt.verify<Claims>(token))

  app.decorate('identify', async (request, token = tokenOf(request)) => {
    // Cookies never contain API tokens.
    if (token.startsWith(TOKEN_PREFIX) && token === bearerOf(request)) return identifyProgram(request, token)
    const claims = claimsOf(token)
    request.sender.holder = tokenHolder(claims.jti)
    const state = await findTokenState(store.read, claims.sub, claims.jti)
    const refusal = refusalOf(claims, state, idle)
    const session = state && keptSessionOf(state)
    if (refusal === 'session-idle' && session) {
      // Ends the session permanently, even if the clock is set back later. If the write fails, housekeeping ends the session
      // later.
      await store.write((trx) => removeIdleSession(trx, claims.jti, session)).catch(() => {})
    }
    if (!state || refusal) throw new ProblemError(refusal ?? 'token-invalid')
    if (session && isStale(session, idle)) {
      noteUse(`session ${claims.jti}`, (trx) => recordUse(trx, claims.jti, state.id))
    }
    return new UserCaller(claims, state, request, idle)
  })

  async function identifyProgram(request: FastifyRequest, token: string): Promise<Caller> {
    if (!isTokenText(token)) throw new ProblemError('token-invalid')
    const hash = hashOfToken(token)
    if (valid.get(hash)) request.sender.holder = tokenHolder(hash)
    const state = await findApiTokenState(store.read, hash)
    const caller = new ProgramCaller(hash, state, request)
    valid.set(hash, true)
    const day = new Date().toISOString().slice(0, 10)
    if (state && state.lastUsedAt !== day) noteUse(`token ${state.id}`, (trx) => recordTokenUse(trx, state, day))
    return caller
  }

  /** The sessions and tokens whose use is being recorded. */
  const noting = new Set<string>()

  /** Records a use in the background, so that reads succeed even when writes fail. */
  function noteUse(name: string, record: (trx: Trx) => Promise<void>) {
    if (noting.has(name)) return
    noting.add(name)
    store
      .write(record)
      .catch((error: unknown) => app.log.debug({ err: error }, 'the use of a session or token could not be recorded'))
      .finally(() => noting.delete(name))
  }

  app.decorateRequest('actor')
  app.decorateRequest('write', function <T>(this: FastifyRequest, transaction: ActingTransaction<T>) {
    return store.write(async (trx) => transaction(trx, await this.actor.recheck(trx)))
  })
  app.decorateRequest('writeUser', function <T>(this: FastifyRequest, login: string, run: ActingTransaction<T>) {
    return store.write(async (trx) => {
      await lockUsers(trx, accountOf(this.actor), login)
      return run(trx, await this.actor.recheck(trx))
    })
  })

  app.decorate('authenticate', (context) => {
    context.addHook('onRequest', async (request) => {
      request.actor = await app.identify(request)
      request.sender.holder = userHolder(accountOf(request.actor))
      request.actor.require(withinScope(request.routeOptions.config.scope))
    })
    // The token may lack the scope, and changes made with a session are refused unless they come from a page of this server.
    extendSchemas(context, ({ config: { scope = 'any' } = {} }) => {
      const bearer: Record<string, string[]> = { bearer: scope === 'any' ? [] : [scope] }
      return { security: [bearer, { session: [] }], response: refusals(401, 403) }
    })
  })

  function requireOfAll(context: FastifyInstance, requirement: Requirement) {
    context.addHook('onRequest', (request, _reply, done) => {
      request.actor.require(requirement)
      done()
    })
    extendSchemas(context, () => ({ response: refusals(403) }))
  }

  app.decorate('expectOwnPassword', (context) =>
    requireOfAll(context, ({ mustChangePassword }) => {
      if (mustChangePassword) throw new ProblemError('password-change-required')
    })
  )
  app.decorate('expectSecondFactor', (context) =>
    requireOfAll(context, ({ hasPasswordOnly, role }) => {
      if (!hasPasswordOnly || requireSecondFactor === 'off') return
      if (requireSecondFactor === 'all' || role === 'ADMIN') throw new ProblemError('second-factor-setup-required')
    })
  )
  app.decorate('allow', (context, ...roles) =>
    requireOfAll(context, ({ role }) => {
      if (role === undefined || !roles.includes(role)) throw new ProblemError('forbidden')
    })
  )
}

/** Returns the requirement for an operation with this scope. API tokens cannot use operations without a scope. */
function withinScope(needed: OperationScope | undefined): Requirement {
  return ({ scopes }) => {
    if (scopes === undefined || includesScope(scopes, needed)) return
    if (needed === undefined) {
      throw new ProblemError('scope-missing', {
        detail: 'This operation does not accept API tokens, regardless of their scopes.'
      })
    }
    throw new ProblemError('scope-missing', { detail: `The token lacks the scope ${needed}.`, scope: needed })
  }
}

export default fp(authentication, { name: 'authentication', dependencies: ['store'] })
