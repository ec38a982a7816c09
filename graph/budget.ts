import { ProblemError } from '../schemas/errors.ts'

/**
 * Bytes of memory that all share. Where they are spent, who has less than another takes from them: the one who has most
 * loses the largest share that can be given up, and nobody is kept waiting by somebody who takes it all.
 */
export class Budget {
  readonly #limit: number
  readonly #says: string
  readonly #shares = new Set<Share>()
  #spent = 0

  /** So many bytes; and what who is refused is told. */
  constructor(limit: number, says: string) {
    this.#limit = limit
    this.#says = says
  }

  get isSpent() {
    return this.#spent >= this.#limit
  }

  /** A share without bytes yet. Where it has a way to give up, that is called when somebody else needs its bytes more. */
  share(owner: string, giveUp?: () => void): Share {
    const share: Share = {
      owner,
      bytes: 0,
      giveUp,
      take: (bytes, { mustCome = false } = {}) => {
        // What must come may take it over, but not without end.
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

  /** Throws `server-busy`. */
  #makeRoom({ owner }: Share, bytes: number, limit: number) {
    while (this.#spent + bytes > limit) {
      const victim = this.#victimOf(owner, bytes)
      if (!victim) throw new ProblemError('server-busy', { detail: this.#says, retryAfter: 5 })
      victim.release()
      victim.giveUp?.()
    }
  }

  /** The largest share of who has most, and more than the owner would have. */
  #victimOf(owner: string, bytes: number) {
    const owned = new Map<string, number>()
    for (const share of this.#shares) owned.set(share.owner, (owned.get(share.owner) ?? 0) + share.bytes)
    let victim: Share | undefined
    let most = (owned.get(owner) ?? 0) + bytes
    for (const share of this.#shares) {
      const total = owned.get(share.owner) as number
      if (!share.giveUp || total < most || (victim === undefined && total === most)) continue
      if (victim === undefined || total > most || share.bytes > victim.bytes) victim = share
      most = total
    }
    return victim
  }
}

export interface Share {
  readonly owner: string
  /** How many it has. */
  bytes: number
  giveUp: (() => void) | undefined
  /** Takes more. Throws `server-busy` where there are none, also from others. */
  take(bytes: number, options?: { mustCome?: boolean }): void
  /** Gives some back, of what it has. */
  giveBack(bytes: number): void
  /** Gives all back; more than once is the same as once. */
  release(): void
}
