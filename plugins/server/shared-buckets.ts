import type { Peers } from '../../graph/jobs/peers.ts'
import { LeakyBucket } from '../http/leaky-bucket.ts'

/** How long to collect amounts before telling the other processes, in milliseconds. */
const INTERVAL = 100

/** An amount used from the bucket with this name, by key. */
type Use<Name> = [name: Name, key: string, amount: number]

/**
 * Leaky buckets, by name, that hold for all processes of a server together. Each process tells the others within a tenth of a
 * second how much it used, so that together they may exceed a limit by what they use in that time.
 */
export class SharedBuckets<Name extends string> {
  readonly buckets: Record<Name, LeakyBucket>
  readonly #peers: Peers
  #used = new Map<Name, Map<string, number>>()

  /** `rates` are the average amounts per minute. */
  constructor(rates: Record<Name, number>, peers: Peers) {
    this.#peers = peers
    const names = Object.keys(rates) as Name[]
    this.buckets = Object.fromEntries(
      names.map((name) => [name, new LeakyBucket(rates[name], (key, amount) => this.#count(name, key, amount))])
    ) as Record<Name, LeakyBucket>
    peers.onTold<Use<Name>[]>('rates', (uses) => this.#add(uses))
    peers.onAsked('rates', () =>
      names.flatMap((name) => this.buckets[name].amounts().map(([key, amount]): Use<Name> => [name, key, amount]))
    )
  }

  /** Adopts the amounts of the other processes, which served requests before this one started. */
  async catchUp() {
    const most = new Map<string, Use<Name>>()
    for (const use of (await this.#peers.ask<Use<Name>[]>('rates')).flat()) {
      const key = JSON.stringify(use.slice(0, 2))
      if (use[2] > (most.get(key)?.[2] ?? 0)) most.set(key, use)
    }
    this.#add([...most.values()])
  }

  #add(uses: Use<Name>[]) {
    // After an upgrade, the message may come from another version.
    for (const [name, key, amount] of uses) this.buckets[name]?.add(key, amount)
  }

  #count(name: Name, key: string, amount: number) {
    if (this.#peers.size === 1) return
    if (this.#used.size === 0) setTimeout(() => this.#tell(), INTERVAL).unref()
    const amounts = this.#used.get(name) ?? new Map<string, number>()
    this.#used.set(name, amounts.set(key, (amounts.get(key) ?? 0) + amount))
  }

  #tell() {
    const uses = [...this.#used].flatMap(([name, amounts]) =>
      [...amounts].map(([key, amount]): Use<Name> => [name, key, amount])
    )
    this.#used = new Map()
    this.#peers.tell('rates', uses)
  }
}
