import type { ServerResponse } from 'node:http'
import type { Holder, Requester } from '../../../graph/jobs/shares.ts'
import { abortSignalOf } from '../abort-signals.ts'
import { siteOf } from '../networks.ts'

/** The sender of a request. Treated as a guest until the request is authenticated. */
export class Sender implements Requester {
  holder: Holder
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(ip: string, response: ServerResponse) {
    this.holder = { name: 'strangers', member: siteOf(ip), isGuest: true }
    this.#response = response
  }

  /** Created on demand, since most requests do not need it. */
  get signal() {
    this.#signal ??= abortSignalOf(this.#response)
    return this.#signal
  }
}

/** Returns the holder for a user, shared by all of the user's sessions and tokens. */
export function userHolder(login: string): Holder {
  return { name: `user:${login}`, member: '', isGuest: false }
}

/**
 * Returns the holder for a valid token while its user is being looked up. A separate holder keeps a flood of other tokens from
 * delaying it.
 */
export function tokenHolder(id: string): Holder {
  return { name: `token:${id}`, member: '', isGuest: false }
}

/** Returns the holder shared by all visitors of an owner's links. Their networks take turns. */
export function visitorHolder({ owner }: { owner: string | null }, ip: string): Holder {
  return { name: `visitors of:${owner}`, member: siteOf(ip), isGuest: true }
}
