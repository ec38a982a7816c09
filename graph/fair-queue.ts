/** What waits, by who wants it: everybody has a turn, however much one of them wants. */
export class FairQueue<T> {
  /** Whoever is next stands first. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  get size() {
    return this.#size
  }

  /** How many of this user wait. */
  sizeOf(user: string) {
    return this.#waiting.get(user)?.length ?? 0
  }

  add(user: string, item: T) {
    const own = this.#waiting.get(user)
    if (own) own.push(item)
    else this.#waiting.set(user, [item])
    this.#size++
  }

  /** The oldest item of the first user for whom it may be taken; the user stands behind the others from now on. */
  take(mayBeTaken: (item: T, user: string) => boolean): T | undefined {
    for (const [user, [item]] of this.#waiting) {
      if (item === undefined || !mayBeTaken(item, user)) continue
      this.remove(user, item)
      this.moveBehind(user)
      return item
    }
    return undefined
  }

  /** Takes the newest item away of who has most, if they have more than so many. */
  dropOfMost(count: number): T | undefined {
    let [most, size] = ['', count]
    for (const [user, { length }] of this.#waiting) if (length > size) [most, size] = [user, length]
    const item = size > count ? this.#waiting.get(most)?.at(-1) : undefined
    if (item !== undefined) this.remove(most, item)
    return item
  }

  /** Puts the user behind all others who wait. */
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

  /** Takes all away. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#size = 0
    return all
  }
}
