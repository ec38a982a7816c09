/** The maximum number of queries whose rows are cached. */
const CAPACITY = 5000

/** Caches query results by their SQL and a key for the parameters until the next commit. */
export class RowCache {
  readonly #rows = new Map<string, Map<string, readonly unknown[]>>()
  #size = 0
  #version: unknown

  /** Clears the cache if the version of the database has changed since the last call. */
  forgetUnless(version: unknown) {
    if (version !== this.#version) this.#clear()
    this.#version = version
  }

  get(sql: string, key: string) {
    return this.#rows.get(sql)?.get(key)
  }

  set(sql: string, key: string, rows: readonly unknown[]) {
    if (this.#size === CAPACITY) this.#clear()
    this.#size++
    const known = this.#rows.get(sql)
    if (known) known.set(key, rows)
    else this.#rows.set(sql, new Map([[key, rows]]))
  }

  #clear() {
    this.#rows.clear()
    this.#size = 0
  }
}
