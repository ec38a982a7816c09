import type { AuditRequest } from '../schemas/audit.ts'
import { ProblemError } from '../schemas/problem-catalogue.ts'
import type { Role } from '../schemas/user.ts'

/** The author of an event. */
export interface Author {
  /** The name that events and versions give the author. */
  readonly principal: string
  /** The request that the author has sent, if there is one. */
  readonly request?: AuditRequest
}

/** An actor sees and changes graphs. `db/graphs/access.ts` derives its rights from these members; nothing else depends on the kind. */
export interface Actor extends Author {
  readonly kind: 'user' | 'system'
  /**
   * Distinguishes the actor from all others, also from those of another kind: cursors are bound to it, and rates and shares
   * of memory are counted by it.
   */
  readonly subject: string
  /**
   * The login of the account that the actor acts for: it owns the graphs of this account, reads those that are shared with
   * every logged-in user, and has what was granted to the account or its groups. Undefined without an account.
   */
  readonly account: string | undefined
  /** The id of that account, which no other user ever has: grants hold it. Undefined without an account. */
  readonly userId: number | undefined
  /** Whether the actor has the rights of an owner on every graph. */
  readonly isAdministrator: boolean
}

/** A person or program with an account. */
export class UserActor implements Actor {
  readonly kind = 'user'
  readonly account: string
  readonly userId: number
  readonly role: Role
  readonly subject: string

  constructor(login: string, role: Role, id: number) {
    this.account = login
    this.userId = id
    this.role = role
    this.subject = `user:${login}`
  }

  get principal() {
    return this.account
  }

  get isAdministrator() {
    return this.role === 'ADMIN'
  }
}

/** The server itself, and the operator who uses its command line. */
export const system: Actor = {
  kind: 'system',
  principal: 'system',
  subject: 'system',
  account: undefined,
  userId: undefined,
  isAdministrator: true
}

/** Returns the login of the actor's account. Throws `forbidden` without an account. */
export function accountOf({ account }: Pick<Actor, 'account'>): string {
  if (account === undefined) throw new ProblemError('forbidden')
  return account
}
