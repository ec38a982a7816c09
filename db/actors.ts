import type { AuditRequest } from '../schemas/audit.ts'
import { ProblemError } from '../schemas/problem-catalogue.ts'
import type { Role } from '../schemas/user.ts'

/** The author of an event. */
export interface Author {
  /** The author's name, as recorded in events and versions. */
  readonly principal: string
  /** The author's request, if the event has one. */
  readonly request?: AuditRequest
}

/** An actor reads and changes graphs. `db/graphs/access.ts` derives its rights from these members only, never from the kind. */
export interface Actor extends Author {
  readonly kind: 'user' | 'system'
  /** A unique id across actors of all kinds. Cursors are bound to it, and rate limits and memory shares are counted by it. */
  readonly subject: string
  /**
   * The login of the account that the actor acts for. The actor owns this account's graphs, reads graphs shared with every
   * logged-in user, and has the grants of the account and its groups. Undefined without an account.
   */
  readonly account: string | undefined
  /** The id of that account, as stored in grants. Ids are never reused. Undefined without an account. */
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

/** The server itself, or the operator at the command line. */
export const system: Actor = {
  kind: 'system',
  principal: 'system',
  subject: 'system',
  account: undefined,
  userId: undefined,
  isAdministrator: true
}

/** Returns the login of the actor's account. Throws `forbidden` if there is no account. */
export function accountOf({ account }: Pick<Actor, 'account'>): string {
  if (account === undefined) throw new ProblemError('forbidden')
  return account
}
