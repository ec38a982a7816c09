import { type Holder, type Requester, runFor } from '../../graph/jobs/shares.ts'

/** Returns a holder with this name that represents a user. */
export function holderOf(name: string, member = ''): Holder {
  return { name, member, isGuest: false }
}

/** Returns a guest holder with this name. */
export function guestOf(name: string, member = ''): Holder {
  return { name, member, isGuest: true }
}

/** Runs the task on behalf of this holder or requester. */
export function runAs<T>(requester: string | Requester, task: () => T): T {
  return runFor(typeof requester === 'string' ? { holder: holderOf(requester) } : requester, task)
}
