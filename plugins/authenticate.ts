import { type Actor, type NewAuditEvent, recordEvent } from '../db/audits.ts'
import { findUser, targetOf } from '../db/users.ts'
import { Credentials, Token } from '../schemas/account.ts'
import { NoQuery } from '../schemas/parameters.ts'
import { answer, bodyRefusals, refusals } from '../schemas/responses.ts'
import { ref } from '../schemas/types.ts'
import { auditRequestOf } from '../src/audit-request.ts'
import { ProblemError } from '../src/errors.ts'
import { verifyPassword } from '../src/passwords.ts'
import type { Plugin } from './plugin.ts'

/** Logging in: public, and therefore throttled. */
const authenticate: Plugin = async (app) => {
  app.post(
    '/authenticate',
    {
      bodyLimit: 16 * 1024,
      schema: {
        tags: ['account'],
        operationId: 'authenticate',
        summary: 'Log in',
        description: 'Gives a token for a username and its password. A wrong username and a wrong password look alike.',
        security: [],
        querystring: NoQuery,
        body: ref(Credentials),
        response: { 200: answer(Token, 'Logged in.'), ...refusals(...bodyRefusals, 401, 429) }
      }
    },
    async (request) => {
      const { username, password, rememberMe = false } = request.body
      const user = await findUser(app.store.read, username)
      // A name that nobody has may be a password typed into the wrong field: it is not kept.
      const actor: Actor = { login: user?.login ?? 'anonymous', role: 'USER', request: auditRequestOf(request) }
      const target = user && { target: targetOf(user) }
      const record = (event: Pick<NewAuditEvent, 'type' | 'outcome'>) =>
        app.store.write((trx) => recordEvent(trx, actor, { ...event, ...target }))

      await app.throttle
        .attempt(username, request.ip, () => record({ type: 'AUTHENTICATION_FAILURE', outcome: 'DENIED' }))
        .catch((error: unknown) => {
          if (error instanceof ProblemError && error.code === 'too-many-attempts') app.metrics.loginRefused('throttled')
          throw error
        })
      const isRight = await verifyPassword(password, user?.passwordHash)
      if (!user?.enabled || !isRight) {
        await record({ type: 'AUTHENTICATION_FAILURE', outcome: 'FAILURE' })
        app.metrics.loginRefused('credentials')
        throw new ProblemError('credentials-incorrect')
      }
      await app.throttle.succeeded(username, request.ip)
      await record({ type: 'AUTHENTICATION_SUCCESS' })
      const { token, lifetime } = app.issueToken(user, rememberMe)
      return { id_token: token, token_type: 'Bearer' as const, expires_in: lifetime }
    }
  )
}

export default authenticate
