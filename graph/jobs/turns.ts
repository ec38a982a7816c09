import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { currentRequester, FairQueue, type Holder, type Requester } from './shares.ts'

const waiting = new FairQueue<{ holder: Holder; begin(): void }>()
/** The holder of the current turn, and when the turn began. */
let current: { holder: Holder; start: number } | undefined
/** Whether a turn is running or scheduled. */
let isRunning = false

/**
 * Waits for a turn of the event loop. Work that takes milliseconds runs once per turn, however many requests wait, so that small
 * requests are answered in between. Holders take turns. Throws `request-aborted` if the client has disconnected.
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
 * Starts the next turn after some iterations of the event loop, each of which accepts one connection. The second immediate runs
 * when everything that the turn started is done.
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
  // The longer a turn takes, the more work may have arrived from others.
  if (isRunning) scheduleNext(Math.ceil(milliseconds))
}
