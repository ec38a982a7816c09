/** A queue in which users take turns, however many items one of them has. */
export class FairQueue<T> {
  /** The next user comes first. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  get size() {
    return this.#size
  }

  /** The number of items of this user. */
  sizeOf(user: string) {
    return this.#waiting.get(user)?.length ?? 0
  }

  add(user: string, item: T) {
    const own = this.#waiting.get(user)
    if (own) own.push(item)
    else this.#waiting.set(user, [item])
    this.#size++
  }

  /** Takes the oldest item of the first user that the predicate admits, and moves this user behind the others. */
  take(mayBeTaken: (item: T, user: string) => boolean): T | undefined {
    for (const [user, [item]] of this.#waiting) {
      if (item === undefined || !mayBeTaken(item, user)) continue
      this.remove(user, item)
      this.moveBehind(user)
      return item
    }
    return undefined
  }

  /** Removes and returns the newest item of the user with most items, if that user has more than `count`. */
  dropOfMost(count: number): T | undefined {
    let [most, size] = ['', count]
    for (const [user, { length }] of this.#waiting) if (length > size) [most, size] = [user, length]
    const item = size > count ? this.#waiting.get(most)?.at(-1) : undefined
    if (item !== undefined) this.remove(most, item)
    return item
  }

  /** Moves the user behind all others. */
  moveBehind(user: string) {
    const own = this.#waiting.get(user)
    if (!own) return
    this.#waiting.delete(user)
    this.#waiting.set(user, own)
  }

  remove(user: string, item: T) {
    const own = this.#waiting.get(user) ?? []
    const index = own.indexOf(item)
    if (index < 0) return
    own.splice(index, 1)
    this.#size--
    if (own.length === 0) this.#waiting.delete(user)
  }

  /** Removes and returns all items. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#size = 0
    return all
  }
}
