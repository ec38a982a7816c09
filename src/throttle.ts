import { isIPv6 } from 'node:net'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { ProblemError } from './errors.ts'

/** How many attempts may fail in the window, in seconds, before more are refused. */
const WINDOW = 5 * 60
const PER_ACCOUNT = 10
const PER_ADDRESS = 100

/** Slows down who guesses passwords: for each account, whether it exists or not, and for each address. */
export class Throttle {
  readonly #accounts = new RateLimiterMemory({ points: PER_ACCOUNT, duration: WINDOW })
  readonly #addresses = new RateLimiterMemory({ points: PER_ADDRESS, duration: WINDOW })

  /**
   * Counts an attempt before it is made, so that many at once count as many. Throws `too-many-attempts`, and calls
   * `refused` for the first of them: to record each would let a guesser fill the disk.
   */
  async attempt(account: string, address: string, refused: () => Promise<unknown>) {
    await count(this.#addresses, networkOf(address), refused)
    await count(this.#accounts, account, refused)
  }

  /** Takes the attempt back, since it was right, and with it the account's wrong ones. */
  async succeeded(account: string, address: string) {
    await this.#addresses.reward(networkOf(address))
    await this.#accounts.delete(account)
  }
}

async function count(limiter: RateLimiterMemory, key: string, refused: () => Promise<unknown>) {
  const verdict = await limiter.consume(key).catch((refusal: RateLimiterRes) => refusal)
  if (verdict.consumedPoints <= limiter.points) return
  if (verdict.consumedPoints === limiter.points + 1) await refused()
  throw new ProblemError('too-many-attempts', { retryAfter: Math.max(1, Math.ceil(verdict.msBeforeNext / 1000)) })
}

/** A single customer has a whole /64 of IPv6 addresses. */
function networkOf(address: string) {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups.slice(0, 4).join(':')
}
