import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { currentRequester, FairQueue, type Holder, type Requester } from './shares.ts'

const waiting = new FairQueue<{ holder: Holder; begin(): void }>()
/** The one who has the turn, and when it began. */
let current: { holder: Holder; start: number } | undefined
/** Whether somebody has a turn, or the next one is coming. */
let isRunning = false

/**
 * Resolves in a turn of the event loop of its own: work of milliseconds is done once a turn, however many requests wait for it, and
 * small requests are answered in between. Holders take turns. Throws `request-aborted` if the client has left meanwhile.
 */
export async function takeTurn(requester: Requester = currentRequester()): Promise<void> {
  const { holder } = requester
  await new Promise<void>((begin) => {
    waiting.add(holder, { holder, begin })
    if (!isRunning) scheduleNext()
    isRunning = true
  })
  if (requester.signal?.aborted) throw new ProblemError('request-aborted')
}

/**
 * Begins the next turn after some iterations of the event loop, in each of which it accepts one connection. The second immediate
 * follows when all that the turn has begun is done.
 */
function scheduleNext(iterations = 1) {
  if (iterations > 1) return setImmediate(scheduleNext, iterations - 1)
  setImmediate(startNext)
  setImmediate(endTurn)
}

function startNext() {
  const next = waiting.take()
  if (!next) return
  current = { holder: next.holder, start: performance.now() }
  next.begin()
}

function endTurn() {
  const milliseconds = current ? performance.now() - current.start : 0
  if (current) waiting.charge(current.holder, milliseconds)
  current = undefined
  isRunning = waiting.size > 0
  // The longer the turn was, the more may have come for others meanwhile.
  if (isRunning) scheduleNext(Math.ceil(milliseconds))
}
