import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Actor, accountOf } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import type { Trx } from '../../db/store.ts'
import { verifyPassword } from '../../db/users/passwords.ts'
import { type FoundUser, findUser, requireUser, targetOf } from '../../db/users/users.ts'
import type { Outcome } from '../../schemas/audit.ts'
import { faultAs, invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { OwnCredentials } from '../../schemas/second-factor.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Returns the caller's account if the password is theirs; guessing is slowed down as at the sign-in. `pointer` is its place
     * in the request. Throws `password-incorrect` and `too-many-attempts`.
     */
    proveOwnPassword(request: FastifyRequest, password: string, pointer: string): Promise<FoundUser>
    /**
     * Runs a transaction that changes the caller's account if the password is theirs and, where they have a second factor, the code,
     * which is used up. Throws the same, and `validation-failed` for the code.
     */
    writeProven(request: FastifyRequest, credentials: OwnCredentials, transaction?: ProvenTransaction): Promise<void>
  }
}

type ProvenTransaction = (trx: Trx, actor: Actor, user: FoundUser) => Promise<unknown>

/** A session alone does not suffice to change how its user signs in: another person may sit at the browser. */
const ownPassword: Plugin = async (app) => {
  const { store } = app

  /** Verifies the password. Returns the account, and ways to record how the attempt goes on. */
  async function attempt(request: FastifyRequest, password: string, pointer: string) {
    const { actor } = request
    const login = accountOf(actor)
    const user = await findUser(store.read, login)
    if (!user) throw new ProblemError('token-invalid')
    const recordFailure = (trx: Trx, outcome: Outcome, more: Record<string, string> = {}) => {
      const data = { method: 'password', ...more }
      return recordEvent(trx, actor, { type: 'AUTHENTICATION_FAILURE', outcome, target: targetOf(user), data })
    }
    const recordRefusal = () => store.write((trx) => recordFailure(trx, 'DENIED'))
    const source = app.sourceOf(request, login)
    await app.throttle.attempt(login, source, recordRefusal)
    if (!(await verifyPassword(password, user.passwordHash || undefined))) {
      await store.write((trx) => recordFailure(trx, 'FAILURE'))
      throw faultAs({ pointer, code: 'password-incorrect', detail: 'is not right' })
    }
    return { user, recordFailure, recordRefusal, succeeded: () => app.throttle.succeeded(login, source) }
  }

  app.decorate('proveOwnPassword', async (request, password, pointer) => {
    const { user, succeeded } = await attempt(request, password, pointer)
    await succeeded()
    return user
  })

  app.decorate('writeProven', async (request, { password, code }, transaction) => {
    const { user, recordFailure, recordRefusal, succeeded } = await attempt(request, password, '#/password')
    const { login } = user
    // A right password without a right code counts like a wrong one.
    const showsCode = user.secondFactorSince !== null && code !== undefined
    if (showsCode) await app.throttle.attemptCode(login, recordRefusal)
    const reason = await request.writeUser(login, async (trx, actor) => {
      const current = await requireUser(trx, login)
      const verdict = await app.secondFactors.accept(trx, actor, current, showsCode ? code : undefined)
      if ('reason' in verdict) {
        await recordFailure(trx, 'FAILURE', verdict)
        return verdict.reason
      }
      await transaction?.(trx, actor, current)
      return undefined
    })
    if (reason !== undefined) throw invalid(FAULTS[reason])
    await succeeded()
    if (showsCode) await app.throttle.codeSucceeded(login)
  })
}

const FAULTS = {
  'second-factor-required': {
    pointer: '#/code',
    code: 'required',
    detail: 'is required of users with a second factor'
  },
  'second-factor-incorrect': {
    pointer: '#/code',
    code: 'second-factor-incorrect',
    detail: 'is wrong, or was used before'
  }
}

export default fp(ownPassword, { name: 'own-password', dependencies: ['second-factors', 'sessions', 'throttle'] })
