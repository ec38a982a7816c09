import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { currentRequester, FairQueue, type Holder, type Requester } from './shares.ts'

const waiting = new FairQueue<{ holder: Holder; begin(): void }>()
/** The holder and the start time of the current turn. */
let current: { holder: Holder; start: number } | undefined
/** Whether a turn is running or scheduled. */
let isRunning = false
/** The work done outside turns since the last turn, in milliseconds. */
let workOutside = 0

/**
 * Waits for a turn on the event loop. Each turn runs only one piece of work that takes milliseconds, so that small requests are
 * answered in between. Holders take turns. Throws `request-aborted` if the client has disconnected.
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
 * Charges work on the event loop that could not wait for a turn, in milliseconds. It delays the next turn as work done in a
 * turn would.
 */
export function chargeTurns(holder: Holder, milliseconds: number) {
  waiting.charge(holder, milliseconds)
  if (isRunning) workOutside += milliseconds
}

/**
 * Starts the next turn after this many iterations of the event loop, each of which accepts one connection. The second immediate
 * runs after the turn's work.
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
  // The longer a turn takes, the more requests may have arrived in the meantime.
  if (isRunning) scheduleNext(Math.ceil(milliseconds + workOutside))
  workOutside = 0
}
