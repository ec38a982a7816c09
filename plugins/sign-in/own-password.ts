import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { accountOf } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import type { Trx } from '../../db/store.ts'
import { verifyPassword } from '../../db/users/passwords.ts'
import { requireBegunSecondFactor } from '../../db/users/second-factor.ts'
import { type FoundUser, findUser, hasUsablePassword, requireUser, targetOf } from '../../db/users/users.ts'
import type { Outcome } from '../../schemas/audit.ts'
import type { OwnCredentials } from '../../schemas/own-credentials.ts'
import { faultAs, invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Plugin } from '../http/plugin.ts'
import type { Caller } from './caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Returns the caller's account if the password is correct. Attempts are throttled in the same way as sign-ins. `pointer` is
     * the location of the password in the request. Throws `password-incorrect` or `too-many-attempts`.
     */
    proveOwnPassword(request: FastifyRequest, password: string, pointer: string): Promise<FoundUser>
    /**
     * Runs a transaction that changes the caller's account, or that of `login`. Requires the caller's password and, if they
     * have a second factor, a code, which cannot be used again. Users who cannot sign in with a password must instead have
     * recently signed in with the identity provider. `pointer` is the location of the credentials in the request. Throws the
     * same errors as `proveOwnPassword`, or `validation-failed` for a code or password that is missing or wrong, or
     * `sign-in-again`.
     */
    writeProven<T>(
      request: FastifyRequest,
      credentials: Partial<OwnCredentials>,
      transaction: ProvenTransaction<T>,
      where?: { login?: string; pointer?: string }
    ): Promise<T>
    /**
     * Runs a transaction that activates the second factor being set up in the caller's session, if the code matches it. Throws
     * `validation-failed` for a wrong code, or `second-factor-not-begun`, `second-factor-exists` or `too-many-attempts`.
     */
    writeConfirmed(request: FastifyRequest, code: string, transaction: ConfirmedTransaction): Promise<void>
  }
}

type ProvenTransaction<T> = (trx: Trx, actor: Caller, user: FoundUser) => Promise<T>
/** `step` is the time step of the code. */
type ConfirmedTransaction = (trx: Trx, actor: Caller, user: FoundUser, step: number) => Promise<void>

/** How long a sign-in through the identity provider counts as proof, in milliseconds. */
const FRESH = 10 * 60 * 1000

/** Requires more than a session to change how a user signs in, since someone else may be using the browser. */
const ownPassword: Plugin<{ passwordLogin: boolean }> = async (app, { passwordLogin }) => {
  const { store } = app

  /** Returns functions that record a failed or refused attempt by the caller. */
  function recordsOf({ actor }: FastifyRequest, user: FoundUser) {
    const failure = (trx: Trx, outcome: Outcome, more: Record<string, string> = {}) => {
      const data = { method: 'password', ...more }
      return recordEvent(trx, actor, { type: 'AUTHENTICATION_FAILURE', outcome, target: targetOf(user), data })
    }
    return { failure, refusal: () => store.write((trx) => failure(trx, 'DENIED')) }
  }

  async function requireSelf(request: FastifyRequest) {
    const user = await findUser(store.read, accountOf(request.actor))
    if (!user) throw new ProblemError('token-invalid')
    return user
  }

  /** Verifies the caller's password. Returns a function to call once the whole attempt has succeeded. */
  async function attempt(request: FastifyRequest, user: FoundUser, password: string, pointer: string) {
    const { login } = user
    const { failure, refusal } = recordsOf(request, user)
    const source = app.sourceOf(request, login)
    await app.throttle.attempt(login, source, refusal)
    const verification = verifyPassword(password, user.passwordHash || undefined)
    if (!(await app.throttle.verify(login, source, verification))) {
      await store.write((trx) => failure(trx, 'FAILURE'))
      throw faultAs({ pointer, code: 'password-incorrect', detail: 'is incorrect' })
    }
    return () => app.throttle.succeeded(login, source)
  }

  /**
   * Runs the transaction, which verifies the code (if any), or returns the reason for refusing the code. Codes are counted
   * before they are verified, so that simultaneous attempts all count. Wrong codes are recorded.
   */
  async function writeWithCode<T>(
    request: FastifyRequest,
    user: FoundUser,
    code: string | undefined,
    { login: changed, pointer }: { login: string; pointer: string },
    transaction: ProvenTransaction<{ reason: keyof typeof FAULTS } | { done: T }>
  ): Promise<T> {
    const { login } = user
    const { failure, refusal } = recordsOf(request, user)
    if (code !== undefined) await app.throttle.attemptCode(login, refusal)
    const outcome = await request.writeUser(changed, async (trx, actor) => {
      const outcome = await transaction(trx, actor, await requireUser(trx, login))
      if ('reason' in outcome) await failure(trx, 'FAILURE', outcome)
      return outcome
    })
    if ('reason' in outcome) throw faultOf(outcome.reason, pointer)
    if (code !== undefined) await app.throttle.codeSucceeded(login)
    return outcome.done
  }

  app.decorate('proveOwnPassword', async (request, password, pointer) => {
    const user = await requireSelf(request)
    const succeeded = await attempt(request, user, password, pointer)
    await succeeded()
    return user
  })

  app.decorate('writeProven', async (request, { password, code }, transaction, where = {}) => {
    const user = await requireSelf(request)
    const { login: changed = user.login, pointer = '#' } = where
    // A password that cannot be used to sign in proves nothing.
    if (password === undefined || !hasUsablePassword(user, passwordLogin)) {
      return request.writeUser(changed, async (trx, actor) => {
        const user = await requireUser(trx, accountOf(actor))
        if (hasUsablePassword(user, passwordLogin)) throw faultOf('password-required', pointer)
        if (Math.abs(Date.now() - (actor.arrivedAt ?? 0)) > FRESH) throw new ProblemError('sign-in-again')
        return transaction(trx, actor, user)
      })
    }
    const succeeded = await attempt(request, user, password, `${pointer}/password`)
    // A correct password without a correct code counts as a wrong password.
    const shown = user.secondFactorSince === null ? undefined : code
    const done = await writeWithCode(request, user, shown, { login: changed, pointer }, async (trx, actor, current) => {
      const verdict = await app.secondFactors.accept(trx, actor, current, shown)
      return 'reason' in verdict ? verdict : { done: await transaction(trx, actor, current) }
    })
    await succeeded()
    return done
  })

  app.decorate('writeConfirmed', async (request, code, transaction) => {
    const { actor } = request
    const user = await requireUser(store.read, accountOf(actor))
    // If no second factor is being set up, there is nothing to guess, so nothing is counted. Otherwise, a session could use up
    // the attempts that its user needs to sign in.
    await requireBegunSecondFactor(store.read, user, actor.token.id)
    await writeWithCode(request, user, code, { login: user.login, pointer: '#' }, async (trx, actor, current) => {
      await requireBegunSecondFactor(trx, current, actor.token.id)
      const step = await app.secondFactors.stepOf(trx, current, code)
      if (step === undefined) return { reason: 'second-factor-incorrect' }
      return { done: await transaction(trx, actor, current, step) }
    })
  })
}

/** The possible faults in credentials. Their pointers are relative to the location of the credentials in the request. */
const FAULTS = {
  'password-required': {
    pointer: '/password',
    code: 'required',
    detail: 'is required for users with a password'
  },
  'second-factor-required': {
    pointer: '/code',
    code: 'required',
    detail: 'is required for users with two-factor authentication'
  },
  'second-factor-incorrect': {
    pointer: '/code',
    code: 'second-factor-incorrect',
    detail: 'is incorrect or has already been used'
  }
}

/** Returns the error for the credentials at this pointer. */
export function faultOf(reason: keyof typeof FAULTS, pointer: string) {
  const fault = FAULTS[reason]
  return invalid({ ...fault, pointer: `${pointer}${fault.pointer}` })
}

export default fp(ownPassword, { name: 'own-password', dependencies: ['second-factors', 'sessions', 'throttle'] })
