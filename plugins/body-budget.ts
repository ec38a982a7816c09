import { type Readable, Transform } from 'node:stream'
import fp from 'fastify-plugin'
import { ProblemError } from '../src/errors.ts'
import { whenClosed } from '../src/when-closed.ts'
import type { Plugin } from './plugin.ts'

/** Bodies up to this size are not counted: those of a thousand connections fit into little memory. */
const SMALL = 64 * 1024

/**
 * Bounds the memory that bodies under way take: `budget` bytes in all, from their arrival until they are answered.
 * Who comes when it is spent is told to come again, before their body is read. A body whose length is not said counts
 * as it arrives.
 */
const bodyBudget: Plugin<{ budget: number }> = async (app, { budget }) => {
  let spent = 0

  function spend(bytes: number) {
    if (spent + bytes > budget) {
      throw new ProblemError('server-busy', { detail: 'Too many large bodies are under way.', retryAfter: 5 })
    }
    spent += bytes
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = Number(request.headers['content-length'] ?? 0)
    const isOpen = request.headers['transfer-encoding'] !== undefined
    // What is too long is refused by its route.
    if (!isOpen && (length <= SMALL || length > request.routeOptions.bodyLimit)) return done()
    let own = length
    spend(own)
    whenClosed(reply.raw, () => {
      spent -= own
    })
    if (!isOpen) return done()
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        try {
          spend(chunk.length)
          own += chunk.length
          next(null, chunk)
        } catch (error) {
          next(error as Error)
        }
      }
    })
    payload.on('error', (error) => counted.destroy(error))
    done(null, payload.pipe(counted) as Readable)
  })
}

export default fp(bodyBudget, { name: 'body-budget' })
