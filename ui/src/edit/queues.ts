/** A queue of values per key. Unlike Array.shift, taking a value does not shift the rest. */
export class Queues<T> {
  readonly #queues = new Map<string, { values: T[]; taken: number }>()

  add(key: string, value: T) {
    const queue = this.#queues.get(key)
    if (queue) queue.values.push(value)
    else this.#queues.set(key, { values: [value], taken: 0 })
  }

  take(key: string): T | undefined {
    const queue = this.#queues.get(key)
    return queue && queue.taken < queue.values.length ? queue.values[queue.taken++] : undefined
  }

  /** Returns the remaining values, grouped by key. */
  rest(): T[] {
    return [...this.#queues.values()].flatMap(({ values, taken }) => values.slice(taken))
  }
}
