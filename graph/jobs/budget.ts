import { ProblemError } from '../../schemas/problem-catalogue.ts'

/**
 * Bytes of memory that all users share. When none are left, a user with less takes from the user with most, who loses the
 * largest share that can be given up. So no user can starve the others.
 */
export class Budget {
  readonly #limit: number
  readonly #detail: string
  readonly #shares = new Set<Share>()
  #spent = 0

  /** `limit` is in bytes; `detail` is the text of a refusal. */
  constructor(limit: number, detail: string) {
    this.#limit = limit
    this.#detail = detail
  }

  get isSpent() {
    return this.#spent >= this.#limit
  }

  /** Returns an empty share. `giveUp` is called when the share loses its bytes to another user. */
  share(owner: string, giveUp?: () => void): Share {
    const share: Share = {
      owner,
      bytes: 0,
      giveUp,
      take: (bytes, { mustCome = false } = {}) => {
        // Data that cannot be refused any more may exceed the limit, up to its double.
        this.#makeRoom(share, bytes, mustCome ? 2 * this.#limit : this.#limit)
        this.#shares.add(share)
        share.bytes += bytes
        this.#spent += bytes
      },
      giveBack: (bytes) => {
        share.bytes -= bytes
        this.#spent -= bytes
      },
      release: () => {
        this.#shares.delete(share)
        share.giveBack(share.bytes)
      }
    }
    return share
  }

  /** Takes shares of others until the bytes fit. Throws `server-busy` if they cannot. */
  #makeRoom({ owner }: Share, bytes: number, limit: number) {
    while (this.#spent + bytes > limit) {
      const victim = this.#victimOf(owner, bytes)
      if (!victim) throw new ProblemError('server-busy', { detail: this.#detail, retryAfter: 5 })
      victim.release()
      victim.giveUp?.()
    }
  }

  /** The largest share of the user with most bytes, if that is more than the owner would have. */
  #victimOf(owner: string, bytes: number) {
    const totals = new Map<string, number>()
    for (const share of this.#shares) totals.set(share.owner, (totals.get(share.owner) ?? 0) + share.bytes)
    let victim: Share | undefined
    let most = (totals.get(owner) ?? 0) + bytes
    for (const share of this.#shares) {
      const total = totals.get(share.owner) as number
      if (!share.giveUp || total < most || (victim === undefined && total === most)) continue
      if (victim === undefined || total > most || share.bytes > victim.bytes) victim = share
      most = total
    }
    return victim
  }
}

export interface Share {
  readonly owner: string
  bytes: number
  giveUp: (() => void) | undefined
  /** Takes bytes, if necessary from others. Throws `server-busy` if that gives too few. */
  take(bytes: number, options?: { mustCome?: boolean }): void
  /** Gives back some of its bytes. */
  giveBack(bytes: number): void
  /** Gives back all bytes; further calls do nothing. */
  release(): void
}
