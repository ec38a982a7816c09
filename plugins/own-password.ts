import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { accountOf } from '../db/actors.ts'
import { recordEvent } from '../db/audits.ts'
import { verifyPassword } from '../db/passwords.ts'
import { type FoundUser, findUser, targetOf } from '../db/users.ts'
import type { Outcome } from '../schemas/audit.ts'
import { ProblemError } from '../schemas/errors.ts'
import type { Plugin } from './http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Returns the caller's account if the password is theirs; guessing is slowed down as at the sign-in. `pointer` is its place
     * in the request. Throws `password-incorrect` and `too-many-attempts`.
     */
    proveOwnPassword(request: FastifyRequest, password: string, pointer: string): Promise<FoundUser>
  }
}

/** A session alone does not suffice to change how its user signs in: another person may sit at the browser. */
const ownPassword: Plugin = async (app) => {
  const { store } = app
  app.decorate('proveOwnPassword', async (request, password, pointer) => {
    const { actor } = request
    const login = accountOf(actor)
    const user = await findUser(store.read, login)
    if (!user) throw new ProblemError('token-invalid')
    const data = { method: 'password' }
    const recordFailure = (outcome: Outcome) =>
      store.write((trx) =>
        recordEvent(trx, actor, { type: 'AUTHENTICATION_FAILURE', outcome, target: targetOf(user), data })
      )
    const source = app.sourceOf(request, login)
    await app.throttle.attempt(login, source, () => recordFailure('DENIED'))
    if (!(await verifyPassword(password, user.passwordHash || undefined))) {
      await recordFailure('FAILURE')
      throw new ProblemError('password-incorrect', {
        errors: [{ pointer, code: 'password-incorrect', detail: 'is not right' }]
      })
    }
    await app.throttle.succeeded(login, source)
    return user
  })
}

export default fp(ownPassword, { name: 'own-password', dependencies: ['sessions', 'throttle'] })
