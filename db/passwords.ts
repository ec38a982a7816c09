import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ProblemError } from '../schemas/errors.ts'
import { triviality } from './trivial-passwords.ts'

/** Cost of a hash: memory in KiB, passes, lanes. The second recommendation of OWASP's Password Storage Cheat Sheet. */
const COST = { memory: 19456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each takes 19 MiB and a core for some 30 ms, so they wait for one another, and not too many at that. */
const AT_ONCE = 2
const WAITING_AT_MOST = 200

/**
 * Returns the password's argon2id hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 * Throws `server-busy` where too many wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST, HASH_BYTES)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * The hash of a password that the user shall have from now on; `pointer` is where it stands in the request.
 * Throws `password-refused` where it is not good enough.
 */
export async function hashNewPassword(password: string, login: string, pointer: string): Promise<string> {
  const detail = weakness(password, login)
  if (detail) throw refusedPassword(pointer, detail)
  return hashPassword(password)
}

/** The error of a new password that cannot be had, and why. */
export function refusedPassword(pointer: string, detail: string) {
  return new ProblemError('password-refused', { errors: [{ pointer, code: 'password-refused', detail }] })
}

/**
 * Tells whether the password belongs to the hash. With no hash, for a user that does not exist, it takes just as
 * long and says no. Whoever is known has their turn before those who are not: strangers without end keep nobody out.
 * Throws `server-busy` where too many wait.
 */
export async function verifyPassword(password: string, phc: string = NOBODY, isKnown = true): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (!match) throw new Error('the stored password hash is not a PHC string of argon2id')
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length, isKnown)
  return timingSafeEqual(actual, expected) && phc !== NOBODY
}

/** Of the same cost as everybody's. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`

/** Why the password cannot be this user's, or undefined where it can. */
export function weakness(password: string, login: string): string | undefined {
  const text = password.normalize('NFC')
  if ([...text].length < 12) return 'must have at least 12 characters'
  if (Buffer.byteLength(text) > 256) return 'must have at most 256 bytes in UTF-8'
  return triviality(text.toLowerCase(), login.toLowerCase())
}

const argon2Async = promisify(argon2)

/** The same characters typed on another keyboard are the same password, hence NFC (RFC 8265, section 4.2). */
async function derive(password: string, salt: Buffer, cost: typeof COST, length: number, isKnown = true) {
  await turn(isKnown)
  try {
    return await argon2Async('argon2id', {
      message: Buffer.from(password.normalize('NFC')),
      nonce: salt,
      tagLength: length,
      ...cost
    })
  } finally {
    done()
  }
}

let running = 0
/** Those who wait for their turn; who is known goes before everybody else. */
const waiting = { known: [] as (() => void)[], others: [] as (() => void)[] }

async function turn(isKnown: boolean) {
  if (running < AT_ONCE) {
    running++
    return
  }
  const queue = isKnown ? waiting.known : waiting.others
  if (queue.length >= WAITING_AT_MOST) throw new ProblemError('server-busy', { retryAfter: 5 })
  await new Promise<void>((resolve) => queue.push(resolve))
}

/** Hands the turn on to who waits longest. */
function done() {
  const next = waiting.known.shift() ?? waiting.others.shift()
  if (next) next()
  else running--
}

/** Without padding, as PHC strings have it. */
function base64(bytes: Buffer) {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
