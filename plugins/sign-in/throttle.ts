import fp from 'fastify-plugin'
import type { Trx } from '../../db/store.ts'
import {
  countAttempt,
  findAttempts,
  forgetAttempts,
  forgiveAttempt,
  lockAttempts,
  setAttempts
} from '../../db/users/attempts.ts'
import { LruCache } from '../../graph/jobs/lru-cache.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { hmacOf } from '../http/derived-keys.ts'
import { networkOf } from '../http/networks.ts'
import type { Plugin } from '../http/plugin.ts'

/** The source of an attempt. */
export interface AttemptSource {
  address: string
  /** The id of the browser, if it has been used for the account before. */
  device?: string | undefined
  /** The session id of a caller who is logged in and enters their password again. */
  session?: string | undefined
  /** Set for attempts that do not concern an account, which are counted separately. */
  realm?: 'link' | 'link password' | 'invitation'
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Slows down password guessing without locking anyone out permanently. There are limits for each account and source, for
     * each account and all unknown sources, and for each address. The account need not exist. Links are treated as accounts in
     * a separate realm.
     */
    throttle: {
      /**
       * Counts an attempt before it is made, so that simultaneous attempts all count. Throws `too-many-attempts`. Calls
       * `onRefused` only for the first refusal, since recording each refusal would let an attacker fill the disk. Returns
       * whether the source is known for the account.
       */
      attempt(account: string, source: AttemptSource, onRefused: () => Promise<unknown>): Promise<boolean>
      /**
       * Returns the result of verifying an attempt. If the verification throws, the attempt is not counted, since the password
       * was not checked.
       */
      verify<T>(account: string, source: AttemptSource, verification: Promise<T>): Promise<T>
      /** Removes a successful attempt and the source's failed attempts from the counts, and marks the source as known. */
      succeeded(account: string, source: AttemptSource): Promise<void>
      /**
       * Counts a second-factor code before it is verified. The sender already knows the password. Throws `too-many-attempts`,
       * and calls `onRefused` only for the first refusal.
       */
      attemptCode(account: string, onRefused: () => Promise<unknown>): Promise<void>
      /** Removes a correct code from the count. Wrong codes still count. */
      codeSucceeded(account: string): Promise<void>
      /**
       * Marks the network as known for an account whose user has signed in from it by other means. Returns whether it was
       * already known.
       */
      arrived(trx: Trx, account: string, address: string): Promise<boolean>
    }
  }
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** The maximum number of attempts per address within the window, for all accounts together. */
const ADDRESS = { limit: 100, window: 5 * MINUTE }

/**
 * The limits per account and source. The first attempts are free, after which each wait is twice as long as the previous one.
 */
const SOURCE = { free: 10, wait: 5 * SECOND, longest: 15 * MINUTE, window: 60 * MINUTE }

/**
 * The limits per account for all unknown sources together: `burst` attempts at once, then one per interval. An attempt that
 * comes too early reserves a slot at most `longest` ahead, and holds it for `kept`.
 */
const UNKNOWN = { burst: 50, interval: 4 * SECOND, longest: 10 * MINUTE, kept: 2 * MINUTE }

/** The maximum number of wrong second-factor codes per account within the window, from all sources. */
const CODES = { limit: 20, window: 60 * MINUTE }

/** How long a network is remembered after a login, in milliseconds. */
const KNOWN = 30 * DAY

/** The maximum number of refusals that this process caches to avoid querying the store. */
const REMEMBERED = 10_000

/** A refused attempt. Times are in milliseconds since 1970. */
interface Refusal {
  code: string
  until: number
  isFirst: boolean
}

/** Counts attempts in the store, for all processes that share it. Names are stored only as HMACs. */
const throttle: Plugin<{ key: Buffer }> = async (app, { key }) => {
  const { store } = app
  /** The time at which each refusal ends, keyed by HMAC, in milliseconds since 1970. */
  const refused = new LruCache<number, string>(REMEMBERED)

  function codesOf(account: string, { address, device, session, realm }: AttemptSource) {
    const network = networkOf(address)
    const code = (...names: string[]) => hmacOf(key, ...(realm ? [realm, ...names] : names))
    const [kind, name] = device ? ['device', device] : session ? ['session', session] : ['network', network]
    return {
      address: code('address', network),
      account: code('account', account),
      source: code('source', kind, account, name),
      turn: code('turn', account, network),
      known: code('known', account, network),
      // A device or session belongs to one account, so its attempts do not count towards the network.
      isNetwork: kind === 'network'
    }
  }
  type Codes = ReturnType<typeof codesOf>

  function throwRefusal(until: number): never {
    throw new ProblemError('too-many-attempts', { retryAfter: Math.max(1, Math.ceil((until - Date.now()) / SECOND)) })
  }

  /** Counts the attempt. Returns whether its source is known, or a refusal. */
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
      const until = before.expiresAt - SOURCE.window + computeWait(before.count)
      if (until > now) return { code: codes.source, until, isFirst: true }
    }
    const isKnown = !codes.isNetwork || (await findAttempts(trx, codes.known, KNOWN)) !== undefined
    const refusal = isKnown ? undefined : await takeTurn(trx, codes, lastTurn)
    if (refusal) return refusal
    await setAttempts(trx, codes.source, { count: (before?.count ?? 0) + 1, expiresAt: now + SOURCE.window })
    return { isKnown }
  }

  /** Uses the slot of an unknown network, or reserves one. Returns a refusal if it is too early for the slot. */
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
    // A slot cannot be further ahead than this, unless the clock was set back.
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
    async attempt(account, source, onRefused) {
      const codes = codesOf(account, source)
      for (const code of codes.isNetwork ? [codes.address, codes.source] : [codes.source]) {
        const until = refused.get(code) ?? 0
        if (until > Date.now() && until <= Date.now() + SOURCE.longest) throwRefusal(until)
      }
      const counted = await store.write((trx) => count(trx, codes))
      if ('isKnown' in counted) return counted.isKnown
      const refusal = counted
      const isRemembered = refused.get(refusal.code) === refusal.until
      refused.set(refusal.code, refusal.until)
      if (refusal.isFirst && !isRemembered) await onRefused()
      throwRefusal(refusal.until)
    },

    async verify(account, source, verification) {
      try {
        return await verification
      } catch (error) {
        const { isNetwork, address, source: key } = codesOf(account, source)
        await store.write(async (trx) => {
          if (isNetwork) await forgiveAttempt(trx, address)
          await forgiveAttempt(trx, key)
        })
        throw error
      }
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
    },

    async attemptCode(account, onRefused) {
      const { count, expiresAt } = await store.write((trx) =>
        countAttempt(trx, hmacOf(key, 'code', account), CODES.window)
      )
      if (count <= CODES.limit) return
      if (count === CODES.limit + 1) await onRefused()
      throwRefusal(expiresAt)
    },

    codeSucceeded: (account) => store.write((trx) => forgiveAttempt(trx, hmacOf(key, 'code', account))),

    async arrived(trx, account, address) {
      const { known } = codesOf(account, { address })
      const isKnown = (await findAttempts(trx, known, KNOWN)) !== undefined
      await setAttempts(trx, known, { count: 1, expiresAt: Date.now() + KNOWN })
      return isKnown
    }
  })
}

export default fp(throttle, { name: 'throttle', dependencies: ['store'] })

/** Returns how long a source must wait after this many attempts, in milliseconds. */
function computeWait(count: number) {
  return count < SOURCE.free ? 0 : Math.min(SOURCE.longest, SOURCE.wait * 2 ** (count - SOURCE.free))
}
