import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { FairQueue } from './fair-queue.ts'

/** Limits the work of each user: so many pieces run at once, and so many wait for them. */
export class UserLimit {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #running = new Map<string, number>()
  readonly #waiting = new FairQueue<() => void>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** Runs the work when its user has a place for it. Returns its result. Throws `server-busy` if too much of it waits. */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(user) ?? 0
    if (running < this.#atOnce) this.#running.set(user, running + 1)
    else if (this.#waiting.sizeOf(user) >= this.#mostWaiting) throw new ProblemError('server-busy', { retryAfter: 5 })
    // The place is that of the work which ends.
    else await new Promise<void>((resolve) => this.#waiting.add(user, resolve))
    try {
      return await work()
    } finally {
      this.#leave(user)
    }
  }

  #leave(user: string) {
    const next = this.#waiting.take((_, owner) => owner === user)
    if (next) return next()
    const left = (this.#running.get(user) ?? 1) - 1
    if (left === 0) this.#running.delete(user)
    else this.#running.set(user, left)
  }
}
