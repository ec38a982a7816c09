import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { alone, type Peers } from './peers.ts'
import { currentRequester, type Holder } from './shares.ts'

/**
 * A memory budget shared by all holders. When it is exhausted, a holder that uses less can evict the largest evictable share of
 * the holder that uses the most.
 */
export class Budget {
  /** The limit in bytes. */
  limit: number
  readonly #detail: string
  readonly #shares = new Set<Share>()
  #spent = 0

  /** `limit` is in bytes. `detail` is the error message when the budget is exhausted. */
  constructor(limit: number, detail: string) {
    this.limit = limit
    this.#detail = detail
  }

  get isSpent() {
    return this.#spent >= this.limit
  }

  /** Returns an empty share. `giveUp` is called when the share is evicted. A share without it is never evicted. */
  share(giveUp?: () => void, { holder } = currentRequester()): Share {
    const share: Share = {
      holder,
      bytes: 0,
      giveUp,
      take: (bytes, { mustCome = false } = {}) => {
        // Data that can no longer be refused may use up to twice the limit.
        this.#makeRoom(holder, bytes, mustCome ? 2 * this.limit : this.limit)
        share.inherit(bytes)
      },
      inherit: (bytes) => {
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

  /** Evicts other shares until the bytes fit. Throws `server-busy` if no share can be evicted. */
  #makeRoom(holder: Holder, bytes: number, limit: number) {
    for (;;) {
      const ofGuests = holder.isGuest ? this.#bytesOf(({ isGuest }) => isGuest) : 0
      // Guests share half of the budget, but the first allocation by a guest may be larger.
      const isFullOfGuests = ofGuests > 0 && ofGuests + bytes > limit / 2
      if (!isFullOfGuests && this.#spent + bytes <= limit) return
      const victim = this.#victimOf(holder, bytes, isFullOfGuests)
      if (!victim) throw new ProblemError('server-busy', { detail: this.#detail, retryAfter: 5 })
      victim.release()
      victim.giveUp?.()
    }
  }

  #bytesOf(counts: (holder: Holder) => boolean) {
    let bytes = 0
    for (const share of this.#shares) if (counts(share.holder)) bytes += share.bytes
    return bytes
  }

  /**
   * Returns the largest share of the holder with the most bytes, if that holder has more than the given one would have with
   * `bytes` added. Otherwise applies the same rule to the members of the given holder.
   */
  #victimOf({ name, member }: Holder, bytes: number, isGuest: boolean): Share | undefined {
    const others = (holder: Holder) => holder.name !== name && (holder.isGuest || !isGuest)
    const own = (holder: Holder) => holder.name === name
    return (
      this.#largestOf('name', others, this.#bytesOf(own) + bytes) ??
      this.#largestOf('member', own, this.#bytesOf((holder) => own(holder) && holder.member === member) + bytes)
    )
  }

  #largestOf(key: 'name' | 'member', counts: (holder: Holder) => boolean, least: number): Share | undefined {
    const totals = new Map<string, number>()
    for (const { holder, bytes } of this.#shares) {
      if (counts(holder)) totals.set(holder[key], (totals.get(holder[key]) ?? 0) + bytes)
    }
    let victim: Share | undefined
    let most = least
    for (const share of this.#shares) {
      const total = totals.get(share.holder[key]) ?? 0
      if (!share.giveUp || total < most || (victim === undefined && total === most)) continue
      if (victim === undefined || total > most || share.bytes > victim.bytes) victim = share
      most = total
    }
    return victim
  }
}

/** A limit that the processes of a server share. */
export interface SharedLimit {
  /** The bytes for all processes together. */
  budget: number
  /** The bytes that each process has at least, unless the limit is lower. */
  least?: number
  peers?: Peers
}

/** Creates a budget that is this process's equal part of a limit for all processes. */
export function sharedBudget({ budget: total, least = 0, peers = alone }: SharedLimit, detail: string): Budget {
  const part = () => Math.max(total / peers.size, Math.min(least, total))
  const budget = new Budget(part(), detail)
  peers.onSize(() => {
    budget.limit = part()
  })
  return budget
}

/** A holder's share of the budget. */
export interface Share {
  readonly holder: Holder
  bytes: number
  giveUp: (() => void) | undefined
  /** Reserves bytes, evicting other shares if necessary. Throws `server-busy` if no share can be evicted. */
  take(bytes: number, options?: { mustCome?: boolean }): void
  /** Reserves bytes that another share has released but that are still in memory. Never throws. */
  inherit(bytes: number): void
  /** Returns some of the bytes to the budget. */
  giveBack(bytes: number): void
  /** Returns all bytes to the budget. Calling it again has no effect. */
  release(): void
}
