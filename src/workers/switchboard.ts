import type { FromWorker, ToWorker } from './messages.ts'

/** How long to wait for answers, in milliseconds. */
const PATIENCE = 1000

/** A process that serves requests. */
export interface Member {
  post(message: ToWorker): void
}

/** A member's claim to a lock, which it may hold for this many milliseconds. */
interface Claim {
  member: Member
  id: number
  milliseconds: number
}

interface Question {
  topic: string
  /** The members that have not answered yet. */
  pending: Set<Member>
  answers: unknown[]
  resolve(answers: unknown[]): void
  timer: NodeJS.Timeout
}

/** Adds up the values that two processes left for a topic. */
export type Sum = (values: never[]) => unknown

/** Connects the processes of a server: passes their messages on, and grants their locks. */
export class Switchboard {
  readonly #members = new Set<Member>()
  /** The claims to each lock, in order. The first one holds it. */
  readonly #claims = new Map<string, { queue: Claim[]; timer: NodeJS.Timeout }>()
  readonly #questions = new Map<number, Question>()
  /** The values that each member left, by topic, and the sums of those that ended members left. */
  readonly #left = new Map<Member, Map<string, unknown>>()
  readonly #ended = new Map<string, unknown>()
  readonly #sum: Sum
  #lastId = 0

  constructor(sum: Sum) {
    this.#sum = sum
  }

  /** The number of members. */
  get size() {
    return this.#members.size
  }

  /** Adds a member that serves requests from now on. */
  join(member: Member) {
    this.#members.add(member)
    this.#announce()
  }

  /** Removes a member that has ended. Releases its locks, and waits for none of its answers. */
  remove(member: Member) {
    for (const [name, { queue }] of this.#claims)
      for (const claim of queue.filter((claim) => claim.member === member)) this.#release(name, claim)
    for (const [topic, value] of this.#left.get(member) ?? []) {
      const before = this.#ended.get(topic)
      this.#ended.set(topic, before === undefined ? value : this.#sum([before, value] as never[]))
    }
    for (const id of this.#questions.keys()) this.#answer(id, member, undefined)
    this.#left.delete(member)
    if (this.#members.delete(member)) this.#announce()
  }

  /** Handles a member's message. Messages about the member's own state are not for the switchboard. */
  receive(member: Member, message: FromWorker) {
    if (message.kind === 'lock') this.#claim(message.name, { member, ...message })
    else if (message.kind === 'unlock') this.#release(message.name, { member, id: message.id })
    else if (message.kind === 'tell') this.#tell(member, message.topic, message.message)
    else if (message.kind === 'ask')
      this.ask(message.topic, member).then((answers) => member.post({ kind: 'answers', id: message.id, answers }))
    else if (message.kind === 'answer') this.#answer(message.id, member, message.answer)
    else if (message.kind === 'leave') this.#leave(member, message.topic, message.value)
  }

  /** Asks all members but this one about a topic. Resolves to their answers, and the sum that ended members left. */
  ask<T>(topic: string, asker?: Member): Promise<T[]> {
    const pending = new Set(this.#members)
    if (asker) pending.delete(asker)
    const answers = this.#ended.has(topic) ? [this.#ended.get(topic)] : []
    const id = ++this.#lastId
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const member of pending) this.#answer(id, member, undefined)
      }, PATIENCE).unref()
      this.#questions.set(id, { topic, pending, answers, resolve: resolve as Question['resolve'], timer })
      for (const member of pending) member.post({ kind: 'asked', id, topic })
      this.#endIfAnswered(id)
    })
  }

  #announce() {
    for (const member of this.#members) member.post({ kind: 'size', size: this.#members.size })
  }

  #tell(from: Member, topic: string, message: unknown) {
    for (const member of this.#members) if (member !== from) member.post({ kind: 'told', topic, message })
  }

  #leave(member: Member, topic: string, value: unknown) {
    const left = this.#left.get(member) ?? new Map<string, unknown>()
    this.#left.set(member, left.set(topic, value))
  }

  /** Takes a member's answer, or if it has none, the value that it left. */
  #answer(id: number, member: Member, answer: unknown) {
    const question = this.#questions.get(id)
    if (!question?.pending.delete(member)) return
    const value = answer ?? this.#left.get(member)?.get(question.topic)
    if (value !== undefined) question.answers.push(value)
    this.#endIfAnswered(id)
  }

  #endIfAnswered(id: number) {
    const question = this.#questions.get(id)
    if (!question || question.pending.size > 0) return
    clearTimeout(question.timer)
    this.#questions.delete(id)
    question.resolve(question.answers)
  }

  #claim(name: string, claim: Claim) {
    const claims = this.#claims.get(name)
    if (claims) claims.queue.push(claim)
    else this.#grant(name, [claim])
  }

  /** Grants the lock to the first claim in the queue. */
  #grant(name: string, queue: Claim[]) {
    const [first] = queue
    if (!first) return this.#claims.delete(name)
    const timer = setTimeout(() => this.#release(name, first), first.milliseconds).unref()
    this.#claims.set(name, { queue, timer })
    first.member.post({ kind: 'locked', id: first.id })
  }

  #release(name: string, { member, id }: Pick<Claim, 'member' | 'id'>) {
    const claims = this.#claims.get(name)
    const index = claims?.queue.findIndex((claim) => claim.member === member && claim.id === id) ?? -1
    if (!claims || index < 0) return
    claims.queue.splice(index, 1)
    if (index > 0) return
    clearTimeout(claims.timer)
    this.#grant(name, claims.queue)
  }
}
