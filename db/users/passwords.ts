import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Slots } from '../../graph/jobs/shares.ts'
import { faultAs } from '../../schemas/problem-catalogue.ts'
import { findTriviality } from './trivial-passwords.ts'

/**
 * The cost of a hash: memory in KiB, passes and lanes. This is the second recommendation in OWASP's Password Storage Cheat
 * Sheet.
 */
const COST = { memory: 19456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Limits on concurrent and queued hash computations. Each computation takes 19 MiB and 30 ms on one core. */
const slots = new Slots({ slots: 2, waiting: 200 })

/**
 * Returns the password's argon2id hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Throws `server-busy` if too
 * many computations are waiting.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST, HASH_BYTES)
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(hash)}`
}

/**
 * Hashes a user's new password. `pointer` is the location of the password in the request. Throws `password-refused` if the
 * password is too weak.
 */
export async function hashNewPassword(password: string, login: string, pointer: string): Promise<string> {
  const detail = await findWeakness(password, login)
  if (detail) throw refusedPassword(pointer, detail)
  return hashPassword(password)
}

/** Returns the error for a rejected new password. `detail` gives the reason. */
export function refusedPassword(pointer: string, detail: string) {
  return faultAs({ pointer, code: 'password-refused', detail })
}

/**
 * Returns whether the password matches the hash. If the user does not exist or has no password, omit `phc`: the check then fails
 * after the same amount of time. Throws `server-busy` if too many computations are waiting, or `request-aborted`.
 */
export async function verifyPassword(password: string, phc: string = NOBODY): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc)
  if (!match) throw new Error('the stored password hash is not an argon2id PHC string')
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length)
  return timingSafeEqual(actual, expected) && phc !== NOBODY
}

/** The hash for users who do not exist. Checking it takes as long as checking any other. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`

/** Returns why the password is too weak for this user, or undefined if it is strong enough. */
export async function findWeakness(password: string, login: string): Promise<string | undefined> {
  const text = password.normalize('NFC')
  if ([...text].length < 12) return 'must have at least 12 characters'
  if (Buffer.byteLength(text) > 256) return 'must have at most 256 bytes in UTF-8'
  return findTriviality(text.toLowerCase(), login.toLowerCase())
}

const argon2Async = promisify(argon2)

/**
 * Derives the hash of a password. The password is normalized to NFC because keyboards encode the same characters differently
 * (RFC 8265, section 4.2).
 */
async function derive(password: string, salt: Buffer, cost: typeof COST, length: number) {
  return slots.run(() =>
    argon2Async('argon2id', {
      message: Buffer.from(password.normalize('NFC')),
      nonce: salt,
      tagLength: length,
      ...cost
    })
  )
}

/** Encodes base64 without padding, as PHC strings require. */
function base64(bytes: Buffer) {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
