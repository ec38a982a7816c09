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

/** Returns the holder that a user is, with all their sessions and tokens. */
export function userHolder(login: string): Holder {
  return { name: `user:${login}`, member: '', isGuest: false }
}

/** Returns the holder that all visitors of the links of an owner are together. Their networks alternate. */
export function visitorHolder({ owner }: { owner: string | null }, ip: string): Holder {
  return { name: `visitors of:${owner}`, member: networkOf(ip), isGuest: true }
}
