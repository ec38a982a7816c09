import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../../../graph/jobs/fair-queue.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { shareHolderOf } from '../networks.ts'

const waiting = new FairQueue<() => void>()

/**
 * Resolves in a turn of the event loop of its own: work of milliseconds is done once a turn, however many requests wait for it, and
 * small requests are answered in between. Users alternate. Throws `request-aborted` if the client has left meanwhile.
 */
export async function takeTurn(request: FastifyRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.size === 0) setImmediate(startNext)
    waiting.add(shareHolderOf(request), resolve)
  })
  if (request.raw.socket.destroyed) throw new ProblemError('request-aborted')
}

function startNext() {
  waiting.take(() => true)?.()
  if (waiting.size > 0) setImmediate(startNext)
}
