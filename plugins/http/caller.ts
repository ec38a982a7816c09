import type { FastifyRequest } from 'fastify'
import { type Actor, UserActor } from '../../db/actors.ts'
import { type IdleLimits, isIdle, type KeptSession } from '../../db/sessions.ts'
import type { Trx } from '../../db/store.ts'
import { holdTokenState, type TokenState } from '../../db/tokens.ts'
import { ProblemError } from '../../schemas/errors.ts'
import type { Role } from '../../schemas/user.ts'
import { auditRequestOf } from './audit-request.ts'
import type { Claims } from './tokens.ts'

/** A condition that a context sets for its callers. Throws where the caller does not meet it. */
export type Requirement = (caller: Caller) => void

/** The sender of a request: an actor whose rights are checked when the request comes, and again inside of each unit. */
export interface Caller extends Actor {
  /** The role whose rights the caller has; undefined for none. */
  readonly role: Role | undefined
  /** The token that the caller has shown; `expiresAt` in milliseconds since 1970. */
  readonly token: { id: string; expiresAt: number }
  /** Whether the caller has a browser's session and a password that somebody else gave them. */
  readonly mustChangePassword: boolean
  /** Checks the requirement now, and whenever the caller is checked again. */
  require(requirement: Requirement): void
  /**
   * Returns the caller with the rights that they have inside of the unit, which stay so until it has ended. Throws
   * `token-invalid`, `session-idle`, and what the requirements throw.
   */
  recheck(trx: Trx): Promise<Caller>
}

/** The session of a token; undefined without one. */
export function keptSessionOf({ remembered, lastUsedAt }: TokenState): KeptSession | undefined {
  return remembered === null || lastUsedAt === null ? undefined : { remembered, lastUsedAt }
}

/**
 * Returns why a token is refused; undefined where it is valid. A session counts as used when it was last recorded, and at
 * `usedAt`, in milliseconds since 1970.
 */
export function refusalOf(
  { tv, exp, ses }: Claims,
  state: TokenState | undefined,
  idle: IdleLimits,
  usedAt = 0
): 'token-invalid' | 'session-idle' | undefined {
  if (!state?.enabled || state.tokenVersion !== tv || exp * 1000 <= Date.now()) return 'token-invalid'
  if (!ses) return undefined
  const session = keptSessionOf(state)
  if (!session) return 'session-idle'
  session.lastUsedAt = Math.max(session.lastUsedAt, usedAt)
  return isIdle(session, idle) ? 'session-idle' : undefined
}

/** A user who has sent a request, with a token in its header or cookie. */
export class UserCaller extends UserActor implements Caller {
  readonly mustChangePassword: boolean
  readonly #claims: Claims
  readonly #request: FastifyRequest
  readonly #idle: IdleLimits
  readonly #requirements: Requirement[] = []
  /** When the request came, which is a use of the session. */
  readonly #usedAt: number

  /** The state is that of the token with the claims, which is valid. */
  constructor(
    claims: Claims,
    { id, role, mustChangePassword }: TokenState,
    request: FastifyRequest,
    idle: IdleLimits,
    usedAt = Date.now()
  ) {
    super(claims.sub, role, id)
    // A program cannot change its password, and goes on with tokens.
    const isBrowser = claims.ses || request.headers.authorization === undefined
    this.mustChangePassword = isBrowser && Boolean(mustChangePassword)
    this.#claims = claims
    this.#request = request
    this.#idle = idle
    this.#usedAt = usedAt
  }

  get token() {
    const { jti, exp } = this.#claims
    return { id: jti, expiresAt: exp * 1000 }
  }

  /** Computed when it is needed: only events have it. */
  get request() {
    return auditRequestOf(this.#request)
  }

  require(requirement: Requirement) {
    requirement(this)
    this.#requirements.push(requirement)
  }

  async recheck(trx: Trx): Promise<Caller> {
    const state = await holdTokenState(trx, this.account, this.#claims.jti)
    const refusal = refusalOf(this.#claims, state, this.#idle, this.#usedAt)
    if (!state || refusal) throw new ProblemError(refusal ?? 'token-invalid')
    const caller = new UserCaller(this.#claims, state, this.#request, this.#idle, this.#usedAt)
    for (const requirement of this.#requirements) caller.require(requirement)
    return caller
  }
}
