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
    /** Issues a token that no list of sessions has. */
    issueToken(user: UserRow, rememberMe: boolean): IssuedToken
    /** Issues a token for a user who signs in with the request. Its session begins with the transaction. */
    issueSession(trx: Trx, user: UserRow, request: FastifyRequest, signIn: SignIn): Promise<IssuedToken>
    /** Ends the session of the request's cookie, if it has one: its token is not valid any more, wherever it is. */
    endSession(request: FastifyRequest): Promise<void>
    /** Returns where an attempt to show the password of the account comes from, for the throttle. */
    sourceOf(request: FastifyRequest, login: string): { address: string; device?: string; session?: string }
  }
  interface FastifyReply {
    /** Gives the browser the token of `issueSession`, in a cookie that no script can read. `sender` tells how the browser came. */
    startSession(user: UserRow, issued: IssuedToken, sender?: Sender): FastifyReply
    /** Takes the cookie away. */
    forgetSession(): FastifyReply
  }
}

/** How a user has signed in. */
interface SignIn extends ProviderSession {
  method: SignInMethod
  /** Whether it is for a browser, whose session ends after a time without use. */
  browser: boolean
  rememberMe: boolean
  /** Whether the user had signed in from there before. */
  familiar: boolean
}

interface IssuedToken {
  token: string
  /** In seconds. */
  lifetime: number
  rememberMe: boolean
}

/** In seconds. */
const DAY = 24 * 60 * 60

/** Tokens and sessions from login to logout. */
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
      // Without rememberMe the cookie is gone when the browser window closes.
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
      // Changes that are under way for the session are made first.
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
