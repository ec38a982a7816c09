/** An LRU cache limited by bytes, or by entries if the caller does not specify sizes. */
export class LruCache<Value, Key = number> {
  /** The entries, least recently used first. */
  readonly #entries = new Map<Key, { value: Value; bytes: number }>()
  readonly #limit: number
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns the value for the key and marks it as recently used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores the value and evicts the least recently used entries if necessary. A value larger than the limit is not stored. */
  set(key: Key, value: Value, bytes = 1) {
    this.#evict(key)
    if (bytes > this.#limit) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return
      this.#evict(oldest)
    }
  }

  /** Iterates over the keys and values, least recently used first. */
  *entries(): Generator<[Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  #evict(key: Key) {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
