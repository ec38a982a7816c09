import type { AuditRequest } from '../schemas/audit.ts'
import { ProblemError } from '../schemas/problem-catalogue.ts'
import type { Role } from '../schemas/user.ts'

/** The author of an event. */
export interface Author {
  /** The author's name, as recorded in events and versions. */
  readonly principal: string
  /** The author's request, if a request caused the event. */
  readonly request?: AuditRequest
}

/**
 * Anyone who reads or changes graphs: a user or the server itself. `db/graphs/access.ts` derives the actor's rights only from
 * these members, never from its kind.
 */
export interface Actor extends Author {
  readonly kind: 'user' | 'system'
  /** An id that is unique across all kinds of actors. Cursors, rate limits and memory shares are tied to it. */
  readonly subject: string
  /**
   * The login of the account that the actor acts for. The actor owns this account's graphs, can read graphs shared with every
   * logged-in user, and receives the grants of the account and its groups. Undefined if the actor has no account.
   */
  readonly account: string | undefined
  /** The id of that account, as stored in grants. Ids are never reused. Undefined if the actor has no account. */
  readonly userId: number | undefined
  /** Whether the actor has owner rights on every graph. */
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

/** Returns the login of the actor's account. Throws `forbidden` if the actor has no account. */
export function accountOf({ account }: Pick<Actor, 'account'>): string {
  if (account === undefined) throw new ProblemError('forbidden')
  return account
}
