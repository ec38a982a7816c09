import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import {
  countAttempt,
  findAttempts,
  forgetAttempts,
  forgiveAttempt,
  lockAttempts,
  setAttempts
} from '../db/attempts.ts'
import type { Trx } from '../db/store.ts'
import { ProblemError } from '../schemas/errors.ts'
import { networkOf } from './http/networks.ts'
import type { Plugin } from './http/plugin.ts'

/** Where an attempt comes from. */
export interface AttemptSource {
  address: string
  /** The id of the browser, if it has signed in to the account before. */
  device?: string | undefined
  /** The id of the session, if the caller has one and only shows that they also know the password. */
  session?: string | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Slows down who guesses passwords, and shuts nobody out for good: for each account and source, for each account from all
     * sources that it has not been used from, and for each address. Accounts need not exist.
     */
    throttle: {
      /**
       * Counts an attempt before it is made, so that many at once count as many. Throws `too-many-attempts`, and calls
       * `refused` for the first of them: to record each would let a guesser fill the disk. Returns whether the account has
       * been used from the source before.
       */
      attempt(account: string, source: AttemptSource, refused: () => Promise<unknown>): Promise<boolean>
      /** Takes the attempt back, since it was right, and with it the wrong ones of the source, which is known from now on. */
      succeeded(account: string, source: AttemptSource): Promise<void>
    }
  }
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** Of one address: so many attempts in the window, whatever the accounts. */
const ADDRESS = { limit: 100, window: 5 * MINUTE }

/** Of one source at one account: so many are free; then each wait is twice as long as the one before. */
const SOURCE = { free: 10, wait: 5 * SECOND, longest: 15 * MINUTE, window: 60 * MINUTE }

/**
 * Of all unknown sources at one account: so many at once, then one in each interval. Whoever comes too early is given a
 * turn, no later than `longest`, and keeps it for a while.
 */
const UNKNOWN = { burst: 50, interval: 4 * SECOND, longest: 10 * MINUTE, kept: 2 * MINUTE }

/** How long a network is known from which somebody has signed in. */
const KNOWN = 30 * DAY

/** Of so many accounts and addresses this process knows itself that they are refused, and does not ask the store. */
const REMEMBERED = 10_000

/** What is refused, and until when, in milliseconds since 1970. */
interface Refusal {
  code: string
  until: number
  isFirst: boolean
}

/** Counts in the store, so that processes that share it count together; names are kept only as a code of theirs. */
const throttle: Plugin<{ key: Buffer }> = async (app, { key }) => {
  const { store } = app
  /** Until when they are refused, in milliseconds since 1970. */
  const refused = new Map<string, number>()

  const codeOf = (...names: string[]) => createHmac('sha256', key).update(JSON.stringify(names)).digest('base64url')

  function codesOf(account: string, { address, device, session }: AttemptSource) {
    const network = networkOf(address)
    const [kind, name] = device ? ['device', device] : session ? ['session', session] : ['network', network]
    return {
      address: codeOf('address', network),
      account: codeOf('account', account),
      source: codeOf('source', kind, account, name),
      turn: codeOf('turn', account, network),
      known: codeOf('known', account, network),
      // Who shows a device or a session guesses at one account only: their source counts, and no neighbour does.
      isNetwork: kind === 'network'
    }
  }
  type Codes = ReturnType<typeof codesOf>

  function refuse(until: number): never {
    throw new ProblemError('too-many-attempts', { retryAfter: Math.max(1, Math.ceil((until - Date.now()) / SECOND)) })
  }

  /** Counts the attempt and tells whether its source is known, or why it is refused. */
  async function count(trx: Trx, codes: Codes): Promise<Refusal | { isKnown: boolean }> {
    if (codes.isNetwork) {
      const { count, expiresAt } = await countAttempt(trx, codes.address, ADDRESS.window)
      if (count > ADDRESS.limit) {
        return { code: codes.address, until: expiresAt, isFirst: count === ADDRESS.limit + 1 }
      }
    }
    const { expiresAt: lastTurn } = await lockAttempts(trx, codes.account)
    const now = Date.now()
    const before = await findAttempts(trx, codes.source, SOURCE.window)
    if (before) {
      const until = before.expiresAt - SOURCE.window + waitAfter(before.count)
      if (until > now) return { code: codes.source, until, isFirst: true }
    }
    const isKnown = !codes.isNetwork || (await findAttempts(trx, codes.known, KNOWN)) !== undefined
    const refusal = isKnown ? undefined : await takeTurn(trx, codes, lastTurn)
    if (refusal) return refusal
    await setAttempts(trx, codes.source, { count: (before?.count ?? 0) + 1, expiresAt: now + SOURCE.window })
    return { isKnown }
  }

  /** Takes the turn of an unknown network, or tells when it is. */
  async function takeTurn(trx: Trx, { account, source, turn }: Codes, lastTurn: number): Promise<Refusal | undefined> {
    const now = Date.now()
    const given = await findAttempts(trx, turn, UNKNOWN.longest + UNKNOWN.kept)
    if (given) {
      const until = given.expiresAt - UNKNOWN.kept
      if (until > now) return { code: source, until, isFirst: false }
      await forgetAttempts(trx, turn)
      return undefined
    }
    const burst = UNKNOWN.burst * UNKNOWN.interval
    // Turns lie ahead by this much at most; else the clock was put back.
    const isSound = lastTurn > now && lastTurn <= now + burst + UNKNOWN.longest
    const next = (isSound ? lastTurn : now) + UNKNOWN.interval
    const until = next - burst
    if (until > now + UNKNOWN.longest) return { code: source, until: now + UNKNOWN.longest, isFirst: false }
    await setAttempts(trx, account, { count: 0, expiresAt: next })
    if (until <= now) return undefined
    await setAttempts(trx, turn, { count: 0, expiresAt: until + UNKNOWN.kept })
    return { code: source, until, isFirst: true }
  }

  app.decorate('throttle', {
    async attempt(account, source, whenRefused) {
      const codes = codesOf(account, source)
      for (const code of codes.isNetwork ? [codes.address, codes.source] : [codes.source]) {
        const until = refused.get(code) ?? 0
        if (until > Date.now() && until <= Date.now() + SOURCE.longest) refuse(until)
      }
      const counted = await store.write((trx) => count(trx, codes))
      if ('isKnown' in counted) return counted.isKnown
      const refusal = counted
      const isRemembered = refused.get(refusal.code) === refusal.until
      if (!isRemembered && refused.size >= REMEMBERED) refused.clear()
      refused.set(refusal.code, refusal.until)
      if (refusal.isFirst && !isRemembered) await whenRefused()
      refuse(refusal.until)
    },

    async succeeded(account, source) {
      const codes = codesOf(account, source)
      await store.write(async (trx) => {
        if (codes.isNetwork) await forgiveAttempt(trx, codes.address)
        await lockAttempts(trx, codes.account)
        await forgetAttempts(trx, codes.source)
        if (source.session === undefined)
          await setAttempts(trx, codes.known, { count: 1, expiresAt: Date.now() + KNOWN })
      })
    }
  })
}

export default fp(throttle, { name: 'throttle', dependencies: ['store'] })

/** How long a source waits after so many attempts, in milliseconds. */
function waitAfter(count: number) {
  return count < SOURCE.free ? 0 : Math.min(SOURCE.longest, SOURCE.wait * 2 ** (count - SOURCE.free))
}
