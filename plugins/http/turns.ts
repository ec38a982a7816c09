import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../../graph/fair-queue.ts'
import { ProblemError } from '../../schemas/errors.ts'
import { ownerOf } from './networks.ts'

const waiting = new FairQueue<() => void>()

/**
 * Resolves in a turn of the event loop that no other request has that asks here: what takes milliseconds is done once a
 * turn, however many ask for it at once, and small requests are answered in between. Users take turns too. Throws
 * `request-aborted` where the client has gone meanwhile.
 */
export async function takeTurn(request: FastifyRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.size === 0) setImmediate(next)
    waiting.add(ownerOf(request), resolve)
  })
  if (request.raw.socket.destroyed) throw new ProblemError('request-aborted')
}

function next() {
  waiting.take(() => true)?.()
  if (waiting.size > 0) setImmediate(next)
}
