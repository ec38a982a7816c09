import { LruCache } from '../../graph/jobs/lru-cache.ts'

/** The minutes' worth that may come at once after a quiet time. */
const BURST = 10

/** The number of keys at most. Beyond it, the least recently used key is dropped, and its bucket starts empty. */
const KEYS = 10_000

/** The use of a key, as the time at which all of it is made up for, on the clock of `performance`. */
interface Account {
  until: number
}

/**
 * Bounds the use of each key: an amount a minute in the long run, and ten minutes' worth at once (a leaky bucket, kept as one
 * number a key). Zero a minute is no bound. Changes of the system's clock have no effect.
 */
export class LeakyBucket {
  /** The time that one unit takes, in milliseconds; 0 without a bound. */
  readonly #time: number
  readonly #accounts = new LruCache<Account, string>(KEYS)

  constructor(perMinute: number) {
    this.#time = perMinute === 0 ? 0 : 60_000 / perMinute
  }

  /**
   * Takes the amount if anything is left. A large amount may exceed the rest, and is made up for before the next. Returns 0, or
   * the seconds to wait if nothing was taken.
   */
  take(key: string, amount = 1): number {
    if (this.#time === 0) return 0
    const now = performance.now()
    const account = this.#accounts.get(key) ?? this.#open(key)
    const excess = account.until + this.#time - now - BURST * 60_000
    if (excess > 0) return Math.ceil(excess / 1000)
    account.until = Math.max(account.until, now) + amount * this.#time
    return 0
  }

  /** Takes an amount that is known only afterwards, in any case. */
  charge(key: string, amount: number) {
    if (this.#time === 0) return
    const account = this.#accounts.get(key) ?? this.#open(key)
    account.until = Math.max(account.until, performance.now()) + amount * this.#time
  }

  #open(key: string) {
    const account = { until: 0 }
    this.#accounts.set(key, account)
    return account
  }
}
