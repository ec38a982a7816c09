import type { ServerResponse } from 'node:http'
import type { Holder, Requester } from '../../../graph/jobs/shares.ts'
import { abortSignalOf } from '../abort-signals.ts'
import { networkOf } from '../networks.ts'

/** The sender of a request: a stranger, until the request shows who sent it. */
export class Sender implements Requester {
  holder: Holder
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor(ip: string, response: ServerResponse) {
    this.holder = { name: 'strangers', member: networkOf(ip), isGuest: true }
    this.#response = response
  }

  /** Created when it is needed: most requests are answered before. */
  get signal() {
    this.#signal ??= abortSignalOf(this.#response)
    return this.#signal
  }
}

/** Returns the holder of a user: all their sessions and tokens share it. */
export function userHolder(login: string): Holder {
  return { name: `user:${login}`, member: '', isGuest: false }
}

/** Returns the holder of a valid token while its user is being looked up: no flood of other tokens keeps it waiting. */
export function tokenHolder(id: string): Holder {
  return { name: `token:${id}`, member: '', isGuest: false }
}

/** Returns the holder that all visitors of the links of an owner are together. Their networks alternate. */
export function visitorHolder({ owner }: { owner: string | null }, ip: string): Holder {
  return { name: `visitors of:${owner}`, member: networkOf(ip), isGuest: true }
}
