import { AsyncLocalStorage } from 'node:async_hooks'
import { ProblemError } from '../../schemas/problem-catalogue.ts'

// Fair sharing of threads, turns, queue slots and memory. Holders are served in order of the work already done for them,
// regardless of the number of their requests.

/** A user or other party that gets a share of every resource. */
export interface Holder {
  /** Holders with the same name share their resources. */
  readonly name: string
  /** A subdivision of the holder, such as the network of an anonymous visitor. Members take turns within the holder's share. */
  readonly member: string
  /** Whether this is a guest. All guests together get at most half of a resource. */
  readonly isGuest: boolean
}

/** The party on whose behalf a task runs. */
export interface Requester {
  readonly holder: Holder
  /** Aborts when the requester disconnects, to stop work on its behalf. */
  readonly signal?: AbortSignal | undefined
}

/** The requester for work on behalf of the program itself. */
export const systemRequester: Requester = { holder: { name: 'system', member: '', isGuest: false } }

const requesters = new AsyncLocalStorage<Requester>()

/** Returns the requester of the running task: the one given to `runFor`, or the program itself. */
export function currentRequester(): Requester {
  return requesters.getStore() ?? systemRequester
}

/** Runs the task, and everything it starts, for the requester. */
export function runFor<T>(requester: Requester, task: () => T): T {
  return requesters.run(requester, task)
}

/** The number of holders to track before dropping those whose work does not exceed the level. */
const MOST_REMEMBERED = 1000

/** The work done for each holder. */
class Work {
  total = 0
  readonly #done = new Map<string, number>()
  #level = 0
  #mostRemembered = MOST_REMEMBERED

  /** The most work that any holder had when it was served. Holders with less are treated as having this much. */
  set level(work: number) {
    this.#level = Math.max(this.#level, work)
  }

  of({ name }: Holder) {
    return Math.max(this.#done.get(name) ?? 0, this.#level)
  }

  add(holder: Holder, work: number) {
    this.total += work
    this.#done.set(holder.name, this.of(holder) + work)
    if (this.#done.size <= this.#mostRemembered) return
    for (const [name, done] of this.#done) if (done <= this.#level) this.#done.delete(name)
    this.#mostRemembered = Math.max(MOST_REMEMBERED, 2 * this.#done.size)
  }
}

/** The waiting items of one holder, by member. The next member comes first. */
interface Line<T> {
  holder: Holder
  size: number
  members: Map<string, T[]>
}

/** The item to return next, and the work of its holder. */
interface Next<T> {
  line: Line<T>
  member: string
  item: T
  work: number
}

/**
 * A queue that serves the holder with the least work first, and alternates between the members of a holder. All guests together
 * are served no more than all users together. A holder that pauses builds up no credit.
 */
export class FairQueue<T> {
  readonly #lines = new Map<string, Line<T>>()
  readonly #work = { ofUsers: new Work(), ofGuests: new Work() }
  #size = 0
  #guests = 0

  get size() {
    return this.#size
  }

  /** The number of items from guests. */
  get guests() {
    return this.#guests
  }

  /** Returns the number of items from the holder. */
  sizeOf({ name }: Holder) {
    return this.#lines.get(name)?.size ?? 0
  }

  add(holder: Holder, item: T) {
    const { name, member } = holder
    const line = this.#lines.get(name) ?? { holder, size: 0, members: new Map() }
    this.#lines.set(name, line)
    const items = line.members.get(member)
    if (items) items.push(item)
    else line.members.set(member, [item])
    this.#count(line, 1)
  }

  /** Adds to the work done for the holder. All callers must use the same unit. */
  charge(holder: Holder, work: number) {
    this.#workFor(holder).add(holder, work)
  }

  /** Removes and returns the next item that the predicate accepts. */
  take(mayBeTaken: (item: T) => boolean = () => true): T | undefined {
    const { ofUsers, ofGuests } = this.#work
    const [user, guest] = [this.#find(false, mayBeTaken), this.#find(true, mayBeTaken)]
    // All guests together are served no more than all users, however many guests there are.
    const next = guest && (!user || ofGuests.total < ofUsers.total) ? guest : user
    if (!next) return undefined
    const { line, member, item } = next
    this.#serve(line.holder, !user || !guest)
    this.#remove(line, member, item)
    const others = line.members.get(member)
    if (others) {
      line.members.delete(member)
      line.members.set(member, others)
    }
    return item
  }

  /** Records that the holder was served without waiting. */
  serveAtOnce(holder: Holder) {
    this.#serve(holder, true)
  }

  /**
   * Raises holders with less work to the level of the holder being served, so that idle holders build up no credit. If nobody
   * in the other group is waiting, also raises that group's total.
   */
  #serve(holder: Holder, isAlone: boolean) {
    const work = this.#workFor(holder)
    work.level = work.of(holder)
    const others = holder.isGuest ? this.#work.ofUsers : this.#work.ofGuests
    if (isAlone) others.total = Math.max(others.total, work.total)
  }

  /** Finds the next item of the holder with the least work, either among guests or among users. */
  #find(isGuest: boolean, mayBeTaken: (item: T) => boolean): Next<T> | undefined {
    let next: Next<T> | undefined
    for (const line of this.#lines.values()) {
      if (line.holder.isGuest !== isGuest) continue
      const work = this.#workFor(line.holder).of(line.holder)
      if (next && work >= next.work) continue
      for (const [member, items] of line.members) {
        const item = items.find(mayBeTaken)
        if (item === undefined) continue
        next = { line, member, item, work }
        break
      }
    }
    return next
  }

  /**
   * Removes and returns the newest item of the holder with the most items, if the given holder would still have fewer after
   * adding one. Otherwise applies the same rule to the members of the given holder. With `isGuest`, considers only guests.
   */
  dropOfMost({ name, member }: Holder, isGuest: boolean): T | undefined {
    const own = this.#lines.get(name)
    let most: Line<T> | undefined
    for (const line of this.#lines.values()) {
      if (isGuest && !line.holder.isGuest) continue
      if (line.size > (most?.size ?? (own?.size ?? 0) + 1)) most = line
    }
    const least = most ? 0 : (own?.members.get(member)?.length ?? 0) + 1
    const line = most ?? own
    let [longest, length] = ['', least]
    for (const [member, items] of line?.members ?? [])
      if (items.length > length) [longest, length] = [member, items.length]
    const item = length > least ? line?.members.get(longest)?.at(-1) : undefined
    if (line && item !== undefined) this.#remove(line, longest, item)
    return item
  }

  remove({ name, member }: Holder, item: T) {
    const line = this.#lines.get(name)
    if (line) this.#remove(line, member, item)
  }

  /** Removes and returns all items. */
  clear(): T[] {
    const all = [...this.#lines.values()].flatMap(({ members }) => [...members.values()].flat())
    this.#lines.clear()
    this.#size = 0
    this.#guests = 0
    return all
  }

  #workFor({ isGuest }: Holder) {
    return isGuest ? this.#work.ofGuests : this.#work.ofUsers
  }

  #remove(line: Line<T>, member: string, item: T) {
    const items = line.members.get(member) ?? []
    const index = items.indexOf(item)
    if (index < 0) return
    items.splice(index, 1)
    if (items.length === 0) line.members.delete(member)
    this.#count(line, -1)
    if (line.size === 0) this.#lines.delete(line.holder.name)
  }

  #count(line: Line<T>, change: number) {
    line.size += change
    this.#size += change
    if (line.holder.isGuest) this.#guests += change
  }
}

/** Limits on slots and on the callers that wait for them. */
interface SlotLimits {
  slots: number
  /** The maximum number of slots per holder; half of the slots by default. */
  slotsOfOne?: number
  /** The maximum number of waiting callers. */
  waiting: number
  /** The maximum number of waiting callers per holder; `waiting` by default. */
  waitingOfOne?: number
}

interface Waiting {
  holder: Holder
  mayBegin(): boolean
  grant(): void
  refuse(error: unknown): void
}

/**
 * Slots of a resource, such as threads. The slots per holder are limited, and all guests together get at most half. When the
 * queue is full, the holder with the most waiting callers loses its newest one to a holder with fewer.
 */
export class Slots {
  readonly #limits: Required<SlotLimits>
  readonly #slotsOfGuests: number
  readonly #queue = new FairQueue<Waiting>()
  readonly #running = new Map<string, number>()
  #taken = 0
  #guests = 0
  #isClosed = false

  constructor({ slots, waiting, ...ofOne }: SlotLimits) {
    const half = Math.max(1, Math.floor(slots / 2))
    const { slotsOfOne = half, waitingOfOne = Number.POSITIVE_INFINITY } = ofOne
    this.#limits = { slots, slotsOfOne, waiting, waitingOfOne }
    this.#slotsOfGuests = half
  }

  /** The number of waiting callers. */
  get waiting() {
    return this.#queue.size
  }

  /** Runs the work in a slot and releases the slot afterwards. Throws the same errors as `take`. */
  async run<T>(work: () => Promise<T>, requester?: Requester): Promise<T> {
    const release = await this.take(requester)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for a free slot and for the predicate to become true. Returns a function that releases the slot and charges the
   * holder for the time it was held, in milliseconds. Throws `server-busy`, or `request-aborted` if the requester has
   * disconnected.
   */
  async take(requester: Requester = currentRequester(), mayBegin = () => true): Promise<() => void> {
    const { holder } = requester
    // Most callers get a slot immediately and need no signal.
    if (this.#queue.size === 0 && !this.#isClosed && this.#isFree(holder) && mayBegin()) {
      this.#queue.serveAtOnce(holder)
      this.#count(holder, 1)
    } else await this.#wait(requester, mayBegin)
    const start = performance.now()
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#count(holder, -1)
      this.#queue.charge(holder, performance.now() - start)
      this.#next()
    }
  }

  /** Waits until the holder has a slot. */
  async #wait({ holder, signal }: Requester, mayBegin: () => boolean) {
    if (signal?.aborted) throw new ProblemError('request-aborted')
    this.#makeRoom(holder)
    await new Promise<void>((grant, refuse) => {
      const waiting = { holder, mayBegin, grant, refuse }
      const leave = () => {
        this.#queue.remove(holder, waiting)
        refuse(new ProblemError('request-aborted'))
      }
      if (signal) {
        signal.addEventListener('abort', leave, { once: true })
        waiting.grant = () => {
          signal.removeEventListener('abort', leave)
          grant()
        }
      }
      this.#queue.add(holder, waiting)
      this.#next()
    })
  }

  /** Rejects all waiting and future callers. */
  close(error: unknown = new ProblemError('server-busy')) {
    this.#isClosed = true
    for (const { refuse } of this.#queue.clear()) refuse(error)
  }

  #makeRoom(holder: Holder) {
    const { waiting, waitingOfOne } = this.#limits
    const busy = new ProblemError('server-busy', { retryAfter: 5 })
    if (this.#isClosed || this.#queue.sizeOf(holder) >= waitingOfOne) throw busy
    if (this.#isFree(holder)) return
    const isFullOfGuests = holder.isGuest && this.#queue.guests >= waiting / 2
    if (!isFullOfGuests && this.#queue.size < waiting) return
    const dropped = this.#queue.dropOfMost(holder, isFullOfGuests)
    if (!dropped) throw busy
    dropped.refuse(busy)
  }

  #next() {
    for (;;) {
      const next = this.#queue.take(({ holder, mayBegin }) => this.#isFree(holder) && mayBegin())
      if (!next) return
      this.#count(next.holder, 1)
      next.grant()
    }
  }

  #isFree({ name, isGuest }: Holder) {
    const { slots, slotsOfOne } = this.#limits
    if (this.#taken >= slots || (isGuest && this.#guests >= this.#slotsOfGuests)) return false
    return (this.#running.get(name) ?? 0) < slotsOfOne
  }

  #count({ name, isGuest }: Holder, change: number) {
    this.#taken += change
    if (isGuest) this.#guests += change
    const running = (this.#running.get(name) ?? 0) + change
    if (running === 0) this.#running.delete(name)
    else this.#running.set(name, running)
  }
}
