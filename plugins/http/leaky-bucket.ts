import { LruCache } from '../../graph/jobs/lru-cache.ts'

/** The maximum burst after a quiet period, in minutes at the average rate. */
const BURST = 10

/** The maximum number of keys. Beyond it, the least recently used key is dropped, and will start with an empty bucket. */
const KEYS = 10_000

/** The usage of a key, stored as the time when its bucket will be empty again, as measured by `performance.now()`. */
interface Account {
  until: number
}

/**
 * Limits usage per key: an average amount per minute, with bursts of up to ten minutes' worth (a leaky bucket, stored as one
 * number per key). A rate of 0 means no limit. Changes to the system clock have no effect.
 */
export class LeakyBucket {
  /** The time per unit, in milliseconds; 0 for no limit. */
  readonly #time: number
  readonly #accounts = new LruCache<Account, string>(KEYS)

  /** Called with each amount that this process takes or charges. */
  readonly #onUse: (key: string, amount: number) => void

  constructor(perMinute: number, onUse: (key: string, amount: number) => void = () => {}) {
    this.#time = perMinute === 0 ? 0 : 60_000 / perMinute
    this.#onUse = onUse
  }

  /**
   * Takes the amount if the bucket has any space left. A large amount may overfill it, which delays the next request. Returns
   * 0, or the number of seconds to wait if nothing was taken.
   */
  take(key: string, amount = 1): number {
    if (this.#time === 0) return 0
    const now = performance.now()
    const account = this.#accounts.get(key) ?? this.#open(key)
    const excess = account.until + this.#time - now - BURST * 60_000
    if (excess > 0) return Math.ceil(excess / 1000)
    account.until = Math.max(account.until, now) + amount * this.#time
    this.#onUse(key, amount)
    return 0
  }

  /** Charges an amount that is known only afterwards. The charge is never refused. */
  charge(key: string, amount: number) {
    this.add(key, amount)
    this.#onUse(key, amount)
  }

  /** Adds an amount that another process took. */
  add(key: string, amount: number) {
    if (this.#time === 0) return
    const account = this.#accounts.get(key) ?? this.#open(key)
    account.until = Math.max(account.until, performance.now()) + amount * this.#time
  }

  /** Returns the amount in each bucket that is not empty, by key. */
  amounts(): [key: string, amount: number][] {
    const now = performance.now()
    return [...this.#accounts.entries()]
      .filter(([, { until }]) => until > now)
      .map(([key, { until }]) => [key, (until - now) / this.#time])
  }

  #open(key: string) {
    const account = { until: 0 }
    this.#accounts.set(key, account)
    return account
  }
}
