import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { accountOf } from '../../db/actors.ts'
import type { Trx } from '../../db/store.ts'
import type { UserRow } from '../../db/tables.ts'
import { beginSession, endSession, type ProviderSession } from '../../db/users/sessions.ts'
import { findUser, lockUser } from '../../db/users/users.ts'
import type { SignInMethod } from '../../schemas/session.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import {
  deviceCookie,
  deviceOf,
  endedSessionCookies,
  type Sender,
  sessionCookies,
  sessionOf
} from '../http/callers/cookies.ts'
import type { Claims } from '../http/callers/tokens.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Issues a token without a session, so that it does not appear in the list of sessions. */
    issueToken(user: UserRow, rememberMe: boolean): IssuedToken
    /** Issues a token for a user who signs in with this request, and creates its session in the transaction. */
    issueSession(trx: Trx, user: UserRow, request: FastifyRequest, signIn: SignIn): Promise<IssuedToken>
    /** Ends the session identified by the request's cookie, if any. All copies of its token become invalid. */
    endSession(request: FastifyRequest): Promise<void>
    /** Returns the source of an attempt to enter the account's password, for the throttle. */
    sourceOf(request: FastifyRequest, login: string): { address: string; device?: string; session?: string }
  }
  interface FastifyReply {
    /**
     * Sends the token from `issueSession` to the browser in a cookie that scripts cannot read. `sender` describes how the
     * browser reached the server.
     */
    startSession(user: UserRow, issued: IssuedToken, sender?: Sender): FastifyReply
    /** Removes the session cookie from the browser. */
    forgetSession(): FastifyReply
  }
}

/** How a user signed in. */
interface SignIn extends ProviderSession {
  method: SignInMethod
  /** Whether this sign-in is for a browser. Browser sessions expire when they are idle. */
  browser: boolean
  rememberMe: boolean
  /** Whether the user has signed in from this browser or network before. */
  familiar: boolean
}

interface IssuedToken {
  token: string
  /** The lifetime of the token, in seconds. */
  lifetime: number
  rememberMe: boolean
}

/** A day, in seconds. */
const DAY = 24 * 60 * 60

/** Manages tokens and sessions, from login to logout. */
const sessions: Plugin<{ deviceKey: Buffer }> = async (app, { deviceKey }) => {
  const { store } = app

  function issue({ login, tokenVersion }: UserRow, rememberMe: boolean, more: Pick<Claims, 'jti' | 'ses' | 'idp'>) {
    const lifetime = rememberMe ? 30 * DAY : DAY
    const token = app.jwt.sign({ sub: login, tv: tokenVersion, ...more }, { expiresIn: lifetime })
    return { token, lifetime, rememberMe }
  }
  app.decorate('issueToken', (user, rememberMe) => issue(user, rememberMe, { jti: randomUUID() }))
  app.decorate('issueSession', async (trx, user, request, { rememberMe, ...signIn }) => {
    const id = randomUUID()
    const { browser, method } = signIn
    const claims = { jti: id, ...(browser && { ses: true as const }), ...(method === 'oidc' && { idp: true as const }) }
    const issued = issue(user, rememberMe, claims)
    const { ip: address, userAgent } = auditRequestOf(request)
    const expiresAt = Date.now() + issued.lifetime * 1000
    const circumstances = { address, userAgent, expiresAt, handle: randomUUID(), remembered: rememberMe }
    await beginSession(trx, user, { id, ...circumstances, ...signIn })
    return issued
  })

  app.decorateReply(
    'startSession',
    function (this: FastifyReply, user, { token, lifetime, rememberMe }, sender = this.request) {
      // If rememberMe is not set, the cookie is removed when the browser closes.
      const cookies = sessionCookies(sender, token, rememberMe ? lifetime : undefined)
      return this.header('set-cookie', [...cookies, deviceCookie(sender, user.login, deviceKey)])
    }
  )
  app.decorateReply('forgetSession', function (this: FastifyReply) {
    return this.header('set-cookie', endedSessionCookies(this.request))
  })

  app.decorate('endSession', async (request) => {
    const token = sessionOf(request)
    if (!token) return
    const caller = await app.identify(request, token)
    const login = accountOf(caller)
    await store.write(async (trx) => {
      // Waits for changes made with this session that are still in progress.
      await lockUser(trx, login)
      const actor = await caller.recheck(trx)
      const user = await findUser(trx, login)
      if (user) await endSession(trx, actor, user, caller.token)
    })
  })

  app.decorate('sourceOf', (request, login) => {
    const { ip: address, actor } = request
    if (actor) return { address, session: actor.token.id }
    const device = deviceOf(request, login, deviceKey)
    return { address, ...(device !== undefined && { device }) }
  })
}

export default fp(sessions, { name: 'sessions', dependencies: ['authentication', 'store'] })
