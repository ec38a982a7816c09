import { currentRequester, FairQueue, type Holder } from '../../../graph/jobs/shares.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'

const waiting = new FairQueue<{ holder: Holder; begin(): void }>()

/**
 * Resolves in a turn of the event loop of its own: work of milliseconds is done once a turn, however many requests wait for it, and
 * small requests are answered in between. Holders take turns. Throws `request-aborted` if the client has left meanwhile.
 */
export async function takeTurn(): Promise<void> {
  const { holder, signal } = currentRequester()
  await new Promise<void>((begin) => {
    if (waiting.size === 0) setImmediate(startNext)
    waiting.add(holder, { holder, begin })
  })
  if (signal?.aborted) throw new ProblemError('request-aborted')
}

function startNext() {
  const next = waiting.take()
  if (!next) return
  const start = performance.now()
  next.begin()
  setImmediate(() => {
    waiting.charge(next.holder, performance.now() - start)
    startNext()
  })
}
