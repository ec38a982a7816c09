import type { FastifyRequest } from 'fastify'
import { type Actor, UserActor } from '../../db/actors.ts'
import type { Trx } from '../../db/store.ts'
import { type ApiTokenState, holdApiTokenState, scopesOf } from '../../db/users/api-tokens.ts'
import { type IdleLimits, isIdle, type KeptSession } from '../../db/users/sessions.ts'
import { holdTokenState, type TokenState } from '../../db/users/tokens.ts'
import type { Scope } from '../../schemas/api-token.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Role } from '../../schemas/user.ts'
import { auditRequestOf } from '../http/callers/audit-request.ts'
import type { Claims } from '../http/callers/tokens.ts'

/** A condition that a context sets for its callers. Throws if the caller does not meet it. */
export type Requirement = (caller: Caller) => void

/** The sender of a request: an actor whose rights are checked when the request arrives, and again in each transaction. */
export interface Caller extends Actor {
  /** The role that determines the caller's rights; undefined if they have none. */
  readonly role: Role | undefined
  /** The caller's token. `expiresAt` is in milliseconds since 1970. */
  readonly token: { id: string; expiresAt: number }
  /** Whether the caller has a browser session and a password that someone else set. */
  readonly mustChangePassword: boolean
  /** Whether the caller signed in with a password and has no second factor. */
  readonly hasPasswordOnly: boolean
  /** When the caller signed in through the identity provider, in milliseconds since 1970; undefined if they did not. */
  readonly arrivedAt: number | undefined
  /** The scopes of the caller's API token; undefined for other callers, who are not limited by scopes. */
  readonly scopes: readonly Scope[] | undefined
  /** Checks the requirement now, and whenever the caller is rechecked. */
  require(requirement: Requirement): void
  /**
   * Returns the caller with their current rights, which cannot change until the transaction ends. Throws `token-invalid`,
   * `session-idle`, or the errors of the requirements.
   */
  recheck(trx: Trx): Promise<Caller>
}

/** Returns the session of a token, or undefined if it does not have one. */
export function keptSessionOf({ remembered, lastUsedAt }: TokenState): KeptSession | undefined {
  return remembered === null || lastUsedAt === null ? undefined : { remembered, lastUsedAt }
}

/**
 * Returns why a token is refused, or undefined if it is valid. The session's last use is the recorded time or `usedAt`,
 * whichever is later. `usedAt` is in milliseconds since 1970.
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

/** A user who sent a request. */
abstract class RequestCaller extends UserActor implements Caller {
  abstract readonly token: Caller['token']
  abstract readonly mustChangePassword: boolean
  abstract readonly hasPasswordOnly: boolean
  abstract readonly arrivedAt: number | undefined
  abstract readonly scopes: readonly Scope[] | undefined
  protected readonly sent: FastifyRequest
  readonly #requirements: Requirement[] = []

  constructor(sent: FastifyRequest, login: string, { id, role }: Pick<TokenState, 'id' | 'role'>) {
    super(login, role, id)
    this.sent = sent
  }

  /** Computed on demand, since only audit events need it. */
  get request() {
    return auditRequestOf(this.sent)
  }

  require(requirement: Requirement) {
    requirement(this)
    this.#requirements.push(requirement)
  }

  async recheck(trx: Trx): Promise<Caller> {
    const caller = await this.identifyAgain(trx)
    for (const requirement of this.#requirements) caller.require(requirement)
    return caller
  }

  /** Identifies the caller again from the state of their token in the transaction. Throws `token-invalid` or `session-idle`. */
  protected abstract identifyAgain(trx: Trx): Promise<RequestCaller>
}

/** A user who logged in, with the resulting token in a header or cookie. */
export class UserCaller extends RequestCaller {
  readonly mustChangePassword: boolean
  readonly hasPasswordOnly: boolean
  readonly arrivedAt: number | undefined
  readonly scopes = undefined
  readonly #claims: Claims
  readonly #idle: IdleLimits
  /** When the request arrived, which counts as a use of the session. */
  readonly #usedAt: number

  /** `state` is the state of the token with these claims. The token must be valid. */
  constructor(claims: Claims, state: TokenState, request: FastifyRequest, idle: IdleLimits, usedAt = Date.now()) {
    super(request, claims.sub, state)
    // A program cannot change its password, so its tokens keep working.
    const isBrowser = claims.ses || request.headers.authorization === undefined
    this.mustChangePassword = isBrowser && Boolean(state.mustChangePassword)
    this.arrivedAt = claims.idp && claims.iat * 1000
    this.hasPasswordOnly = !claims.idp && state.secondFactorSince === null
    this.#claims = claims
    this.#idle = idle
    this.#usedAt = usedAt
  }

  get token() {
    const { jti, exp } = this.#claims
    return { id: jti, expiresAt: exp * 1000 }
  }

  protected async identifyAgain(trx: Trx) {
    const state = await holdTokenState(trx, this.account, this.#claims.jti)
    const refusal = refusalOf(this.#claims, state, this.#idle, this.#usedAt)
    if (!state || refusal) throw new ProblemError(refusal ?? 'token-invalid')
    return new UserCaller(this.#claims, state, this.sent, this.#idle, this.#usedAt)
  }
}

/** A program that acts for a user with an API token in its header. It has the user's rights, limited to the token's scopes. */
export class ProgramCaller extends RequestCaller {
  readonly mustChangePassword = false
  readonly hasPasswordOnly = false
  readonly arrivedAt = undefined
  readonly scopes: readonly Scope[]
  readonly #hash: string
  readonly #state: ApiTokenState

  /** `state` is the state of the API token with this hash. Throws `token-invalid` if the token is not valid. */
  constructor(hash: string, state: ApiTokenState | undefined, request: FastifyRequest) {
    if (!state?.enabled || Date.parse(state.expiresAt) <= Date.now()) throw new ProblemError('token-invalid')
    super(request, state.login, { id: state.userId, role: state.role })
    this.scopes = scopesOf(state)
    this.#hash = hash
    this.#state = state
  }

  get token() {
    const { id, expiresAt } = this.#state
    return { id: String(id), expiresAt: Date.parse(expiresAt) }
  }

  /** Audit events also record the token. */
  override get request() {
    const { id, name } = this.#state
    return { ...super.request, token: { id, name } }
  }

  protected async identifyAgain(trx: Trx) {
    return new ProgramCaller(this.#hash, await holdApiTokenState(trx, this.account, this.#hash), this.sent)
  }
}
