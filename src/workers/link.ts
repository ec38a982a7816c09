import type { Peers } from '../../graph/jobs/peers.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** A worker's end of its link to the primary, through which it reaches the other processes. */
export class Link implements Peers {
  readonly #post: (message: FromWorker) => void
  #size: number
  #isCut = false
  #lastId = 0
  readonly #sizeListeners: ((size: number, before: number) => void)[] = []
  readonly #locks = new Map<number, () => void>()
  readonly #questions = new Map<number, (answers: unknown[]) => void>()
  readonly #listeners = new Map<string, (message: never) => void>()
  readonly #answerers = new Map<string, () => unknown>()

  /** `post` sends a message to the primary. */
  constructor(post: (message: FromWorker) => void, size: number) {
    this.#post = post
    this.#size = size
  }

  get size() {
    return this.#size
  }

  onSize(listener: (size: number, before: number) => void) {
    this.#sizeListeners.push(listener)
  }

  async lock(name: string, milliseconds: number) {
    if (this.#size === 1 || this.#isCut) return () => {}
    const id = ++this.#lastId
    await new Promise<void>((resolve) => {
      // The primary may be stopped or too busy to answer.
      const timer = setTimeout(() => settle(this.#locks, id, undefined), milliseconds).unref()
      this.#locks.set(id, () => {
        clearTimeout(timer)
        resolve()
      })
      this.#post({ kind: 'lock', id, name, milliseconds })
    })
    return () => this.#post({ kind: 'unlock', id, name })
  }

  tell(topic: string, message: unknown) {
    if (this.#size > 1) this.#post({ kind: 'tell', topic, message })
  }

  onTold<T>(topic: string, listener: (message: T) => void) {
    this.#listeners.set(topic, listener)
  }

  async ask<T>(topic: string) {
    if (this.#isCut) return []
    const id = ++this.#lastId
    return new Promise<T[]>((resolve) => {
      this.#questions.set(id, resolve as (answers: unknown[]) => void)
      this.#post({ kind: 'ask', id, topic })
    })
  }

  onAsked(topic: string, answer: () => unknown) {
    this.#answerers.set(topic, answer)
  }

  leave(topic: string, value: unknown) {
    this.#post({ kind: 'leave', topic, value })
  }

  /** Handles a message from the primary. Messages that start and stop the worker are not for the link. */
  receive(message: ToWorker) {
    if (message.kind === 'size') this.#resize(message.size)
    else if (message.kind === 'locked') settle(this.#locks, message.id, undefined)
    else if (message.kind === 'told') this.#listeners.get(message.topic)?.(message.message as never)
    else if (message.kind === 'asked') this.#answer(message.id, message.topic)
    else if (message.kind === 'answers') settle(this.#questions, message.id, message.answers)
  }

  /** Cuts the link after the primary has ended. Waiting calls resolve at once. */
  cut() {
    this.#isCut = true
    for (const id of this.#locks.keys()) settle(this.#locks, id, undefined)
    for (const id of this.#questions.keys()) settle(this.#questions, id, [])
  }

  #resize(size: number) {
    const before = this.#size
    this.#size = size
    if (size !== before) for (const listener of this.#sizeListeners) listener(size, before)
  }

  async #answer(id: number, topic: string) {
    const answer = await Promise.try(() => this.#answerers.get(topic)?.()).catch(() => undefined)
    this.#post({ kind: 'answer', id, answer })
  }
}

/** Calls the waiting function with this id, once. */
function settle<T>(waiting: Map<number, (value: T) => void>, id: number, value: T) {
  const resolve = waiting.get(id)
  waiting.delete(id)
  resolve?.(value)
}
