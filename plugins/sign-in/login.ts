import type { FastifyRequest } from 'fastify'
import { type Author, accountOf } from '../../db/actors.ts'
import { type NewAuditEvent, recordEvent } from '../../db/audit/events.ts'
import { probeWriting } from '../../db/clock.ts'
import type { Trx } from '../../db/store.ts'
import { verifyPassword } from '../../db/users/passwords.ts'
import { findUser, hasUsablePassword, lockUser, targetOf, toUser } from '../../db/users/users.ts'
import { Credentials, Token } from '../../schemas/account.ts'
import { ProblemError, statusAndTitleOf } from '../../schemas/problem-catalogue.ts'
import { answer, bodyRefusals, cookieHeader, emptyAnswer, refusals, sessionHeader } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { User } from '../../schemas/user.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import { hasSession } from '../http/callers/cookies.ts'
import { userHolder } from '../http/callers/requester.ts'
import { expectSameOrigin } from '../http/callers/same-origin.ts'
import type { Plugin } from '../http/plugin.ts'

/**
 * Logs users in and out with a password. Programs get a token, and browsers get a session. The routes are public and therefore
 * throttled. If `passwordLogin` is false, only administrators may log in with a password.
 */
const login: Plugin<{ passwordLogin: boolean }> = async (app, { passwordLogin }) => {
  const tags = ['account']
  const bodyLimit = 16 * 1024

  app.post('/authenticate', {
    bodyLimit,
    schema: {
      tags,
      operationId: 'authenticate',
      summary: 'Log in',
      description:
        'Returns a token for a username and password. The response does not reveal which of the two is wrong. Users with two-factor authentication get 401 `second-factor-required` for a correct password: send it again with `code`.',
      security: [],
      body: ref(Credentials),
      response: { 200: answer(Token, 'Logged in.'), ...refusals(...bodyRefusals, 401, 429) }
    },
    handler: async (request) => {
      const { issued } = await logIn(request, false)
      const { token, lifetime } = issued
      return { id_token: token, token_type: 'Bearer' as const, expires_in: lifetime }
    }
  })

  app.post('/session', {
    bodyLimit,
    schema: {
      tags,
      operationId: 'startSession',
      summary: 'Start a browser session',
      description:
        'Sets a session cookie that scripts cannot read. Accepts requests only from pages of this server, which the browser confirms with `Sec-Fetch-Site` or `Origin`.',
      security: [],
      body: ref(Credentials),
      response: { 200: answer(User, 'Logged in.', cookieHeader), ...refusals(...bodyRefusals, 401, 403, 429) }
    },
    handler: async (request, reply) => {
      expectSameOrigin(request)
      const { user, issued } = await logIn(request, true)
      return reply.startSession(user, issued).send(toUser(user))
    }
  })

  app.get('/session', {
    schema: {
      tags,
      operationId: 'getSession',
      summary: 'Fetch the user of the browser session',
      description:
        "Like `GET /api/account`, but returns 204 if nobody is logged in. `Graphstead-Session: ended` means that the browser's session has ended.",
      security: [],
      response: {
        200: answer(User, 'The current user.'),
        204: emptyAnswer('Nobody is logged in.', sessionHeader),
        ...refusals(400)
      }
    },
    handler: async (request, reply) => {
      const actor = await orUndefined(app.identify(request))
      // API tokens are not sessions.
      const user = actor?.scopes === undefined && actor && (await findUser(app.store.read, accountOf(actor)))
      if (user) return toUser(user)
      if (hasSession(request)) reply.header('graphstead-session', 'ended')
      return reply.code(204).send()
    }
  })

  app.delete('/session', {
    schema: {
      tags,
      operationId: 'endSession',
      summary: 'End the browser session',
      description:
        'Removes the cookie, if there is one, and invalidates its token. Other sessions continue; `POST /api/account/logout` ends them all.',
      security: [],
      response: { 204: emptyAnswer('Logged out.', cookieHeader), ...refusals(400, 403) }
    },
    handler: async (request, reply) => {
      expectSameOrigin(request)
      // The browser drops the cookie even if the store fails to end the session.
      reply.forgetSession()
      await orUndefined(app.endSession(request))
      return reply.code(204).send()
    }
  })

  /** Resolves to undefined if the session is missing or no longer valid. */
  function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
    return asked.catch((error: unknown) => {
      if (error instanceof ProblemError && statusAndTitleOf(error.code).status === 401) return undefined
      throw error
    })
  }

  /**
   * Logs in the user with the credentials in the body, for a browser or a program. Throws `credentials-incorrect`,
   * `second-factor-required`, `second-factor-incorrect` or `too-many-attempts`.
   */
  async function logIn(request: FastifyRequest<{ Body: Credentials }>, browser: boolean) {
    const { username, password, code, rememberMe = false } = request.body
    const user = await findUser(app.store.read, username)
    // An unknown name may be a password typed into the wrong field, so it is not recorded.
    const author: Author = { principal: user?.login ?? 'anonymous', request: auditRequestOf(request) }
    const target = user && { target: targetOf(user) }
    const record = (trx: Trx, event: Pick<NewAuditEvent, 'type' | 'outcome'>, more: NewAuditEvent['data'] = {}) =>
      recordEvent(trx, author, { ...event, ...target, data: { method: 'password', ...more } })

    const source = app.sourceOf(request, username)
    const recordRefusal = () =>
      app.store.write((trx) => record(trx, { type: 'AUTHENTICATION_FAILURE', outcome: 'DENIED' }))
    const isKnown = await counted(app.throttle.attempt(username, source, recordRefusal))
    const hash = user?.passwordHash || undefined
    // A request from a known source is charged to its user, so that strangers cannot crowd the user out.
    if (isKnown) request.sender.holder = userHolder(username)
    const isRight = await app.throttle.verify(username, source, verifyPassword(password, hash))
    if (!user?.enabled || !isRight || !hasUsablePassword(user, passwordLogin)) {
      const failure = { type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE', data: { method: 'password' } } as const
      if (user) await app.store.write((trx) => record(trx, failure))
      // Anyone can make up unknown names, so most of them are only counted. The probing write takes as long as recording an
      // event, so the response time does not reveal whether the name exists.
      else if (!(await app.denials.record(author, failure))) await probeWriting(app.store)
      app.metrics.countRefusedLogin('credentials')
      throw new ProblemError('credentials-incorrect')
    }
    // Until the second factor is also correct, the attempt counts as a wrong password.
    const hasFactor = user.secondFactorSince !== null
    if (!hasFactor) await app.throttle.succeeded(username, source)
    const showsCode = hasFactor && code !== undefined
    if (showsCode) await counted(app.throttle.attemptCode(username, recordRefusal))
    const outcome = await app.store.write(async (trx) => {
      await lockUser(trx, user.login)
      const current = await findUser(trx, user.login)
      // While the password was being verified, the user may have been disabled, or their password changed.
      if (
        !current?.enabled ||
        current.passwordHash !== user.passwordHash ||
        !hasUsablePassword(current, passwordLogin)
      ) {
        await record(trx, { type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE' })
        return 'credentials-incorrect'
      }
      const factor = await app.secondFactors.accept(trx, author, current, showsCode ? code : undefined)
      if ('reason' in factor) {
        await record(trx, { type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE' }, factor)
        return factor.reason
      }
      await record(trx, { type: 'AUTHENTICATION_SUCCESS' }, factor)
      const signIn = { method: 'password', browser, rememberMe, familiar: isKnown } as const
      return { user: current, issued: await app.issueSession(trx, current, request, signIn) }
    })
    if (typeof outcome === 'string') {
      app.metrics.countRefusedLogin('credentials')
      throw new ProblemError(outcome)
    }
    if (showsCode) {
      await app.throttle.succeeded(username, source)
      await app.throttle.codeSucceeded(username)
    }
    return outcome
  }

  /** Counts the login attempt if it is refused. */
  function counted<T>(attempt: Promise<T>): Promise<T> {
    return attempt.catch((error: unknown) => {
      if (error instanceof ProblemError && error.code === 'too-many-attempts')
        app.metrics.countRefusedLogin('throttled')
      throw error
    })
  }
}

export default login
