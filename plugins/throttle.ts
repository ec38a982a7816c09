import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import { type Attempts, countAttempt, forgetAttempts, forgiveAttempt } from '../db/attempts.ts'
import { ProblemError } from '../src/errors.ts'
import { networkOf } from '../src/networks.ts'
import type { Plugin } from './plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Slows down who guesses passwords: for each account, whether it exists or not, and for each address. */
    throttle: {
      /**
       * Counts an attempt before it is made, so that many at once count as many. Throws `too-many-attempts`, and calls
       * `refused` for the first of them: to record each would let a guesser fill the disk.
       */
      attempt(account: string, address: string, refused: () => Promise<unknown>): Promise<void>
      /** Takes the attempt back, since it was right, and with it the account's wrong ones. */
      succeeded(account: string, address: string): Promise<void>
    }
  }
}

/** How many attempts may fail in the window, in milliseconds, before more are refused. */
const WINDOW = 5 * 60 * 1000
const PER_ACCOUNT = 10
const PER_ADDRESS = 100

/** Of so many accounts and addresses this process knows itself that they are refused, and does not ask the store. */
const REMEMBERED = 10_000

/** Counts in the store, so that processes that share it count together; names are kept only as a code of theirs. */
const throttle: Plugin<{ key: Buffer }> = async (app, { key }) => {
  const { store } = app
  /** Until when they are refused, in milliseconds since 1970. */
  const refused = new Map<string, number>()

  const codeOf = (kind: string, name: string) => createHmac('sha256', key).update(`${kind} ${name}`).digest('base64url')
  const addressOf = (address: string) => codeOf('address', networkOf(address))
  const accountOf = (account: string) => codeOf('account', account)

  function refuse(expiresAt: number): never {
    throw new ProblemError('too-many-attempts', {
      retryAfter: Math.max(1, Math.ceil((expiresAt - Date.now()) / 1000))
    })
  }

  app.decorate('throttle', {
    async attempt(account, address, whenRefused) {
      const limits: [code: string, limit: number][] = [
        [addressOf(address), PER_ADDRESS],
        [accountOf(account), PER_ACCOUNT]
      ]
      for (const [code] of limits) {
        const expiresAt = refused.get(code) ?? 0
        if (expiresAt > Date.now() && expiresAt <= Date.now() + WINDOW) refuse(expiresAt)
      }
      const excess = await store.write(async (trx) => {
        for (const [code, limit] of limits) {
          const attempts = await countAttempt(trx, code, WINDOW)
          if (attempts.count > limit) return { code, limit, ...attempts }
        }
        return undefined
      })
      if (!excess) return
      remember(excess.code, excess)
      if (excess.count === excess.limit + 1) await whenRefused()
      refuse(excess.expiresAt)
    },

    async succeeded(account, address) {
      await store.write(async (trx) => {
        await forgiveAttempt(trx, addressOf(address))
        await forgetAttempts(trx, accountOf(account))
      })
    }
  })

  function remember(code: string, { expiresAt }: Attempts) {
    if (refused.size >= REMEMBERED) refused.clear()
    refused.set(code, expiresAt)
  }
}

export default fp(throttle, { name: 'throttle', dependencies: ['store'] })
