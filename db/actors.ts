import type { AuditRequest } from '../schemas/audit.ts'
import { ProblemError } from '../schemas/errors.ts'
import type { Role } from '../schemas/user.ts'

/** What an event says of its author. */
export interface Author {
  /** Whom events and versions name. */
  readonly principal: string
  /** The request by which they act, if it is one. */
  readonly request?: AuditRequest
}

/**
 * Who acts. `db/access.ts` derives from this what an actor may see and change: nothing else needs to know the kinds.
 */
export interface Actor extends Author {
  readonly kind: 'user' | 'system'
  /** Tells the actor from every other one: cursors are bound to it, and rates and shares of memory are counted by it. */
  readonly subject: string
  /**
   * The login of the account that the actor acts for: its graphs are the actor's own, and it reads what is shared with
   * everybody who is logged in. Undefined where there is none.
   */
  readonly account: string | undefined
  /** Whether the actor owns every graph as well. */
  readonly isAdministrator: boolean
}

/** A person or script with an account, whether by a token or by the session of a browser. */
export class UserActor implements Actor {
  readonly kind = 'user'
  readonly account: string
  readonly role: Role

  constructor(login: string, role: Role) {
    this.account = login
    this.role = role
  }

  get principal() {
    return this.account
  }

  get subject() {
    return this.account
  }

  get isAdministrator() {
    return this.role === 'ADMIN'
  }
}

/** The server itself, and whoever uses its command line. */
export const system: Actor = {
  kind: 'system',
  principal: 'system',
  subject: 'system',
  account: undefined,
  isAdministrator: true
}

/** Returns the login that the actor acts for. Throws `forbidden` where there is none. */
export function accountOf({ account }: Pick<Actor, 'account'>): string {
  if (account === undefined) throw new ProblemError('forbidden')
  return account
}
