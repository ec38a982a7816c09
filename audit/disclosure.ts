import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { canonical, canonicalAt, isCanonical, type Json } from './canonical.ts'

// Disclosures (RFC 9901, section 4.2.1). Each consists of a salt, a name and a value. The digest of a disclosure commits to the
// value without revealing it, because the value cannot be guessed without the salt (section 9.3).

/** The length of a salt in bytes: 128 random bits (section 9.3). */
export const SALT_LENGTH = 16

/** A parsed disclosure. */
interface Disclosure {
  salt: Buffer
  name: string
  value: Json
}

/** Thrown if a disclosure or an entry is malformed, or if the disclosure does not belong to the entry. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
}

/**
 * Returns the disclosure of the value: the JSON array of salt, name and value, encoded as base64url. Rejects an all-zero salt,
 * which marks erased data.
 */
export function disclose(salt: Uint8Array, name: string, value: Json): string {
  return discloseText(salt, name, canonicalAt(1, value))
}

/** Returns the disclosure of a value given as canonical JSON. */
export function discloseText(salt: Uint8Array, name: string, value: string): string {
  if (salt.length !== SALT_LENGTH) throw new RangeError(`a salt must be ${SALT_LENGTH} bytes long`)
  if (isErased(salt)) throw new RangeError('the salt was erased')
  room.set(salt)
  return encode(`["${room.toString('base64url', 0, SALT_LENGTH)}",${canonical(name)},${value}]`)
}

/** A reusable buffer for base64url encoding. Allocating a new buffer would take longer than the encoding itself. */
const room = Buffer.alloc(6144)

/** Encodes the text as UTF-8, then as base64url. */
function encode(text: string): string {
  // A UTF-16 code unit takes at most 3 bytes in UTF-8.
  if (text.length * 3 > room.length) return Buffer.from(text).toString('base64url')
  return room.toString('base64url', 0, room.write(text))
}

/** Returns whether the salt has been erased, that is, overwritten with zeros. */
export function isErased(salt: Uint8Array): boolean {
  for (let at = 0; at < salt.length; at++) if (salt[at] !== 0) return false
  return true
}

/** Returns the digest of a disclosure: the base64url-encoded SHA-256 hash of its text (section 4.2.3). */
export function digestOf(disclosure: string): string {
  return hash('sha256', disclosure, 'base64url')
}

/** Returns whether the value is a digest of a disclosure, in canonical base64url. */
export function isDigest(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length === 43 && Buffer.from(value, 'base64url').toString('base64url') === value
  )
}

/**
 * Parses a disclosure. Throws EntryError if it is malformed. Its JSON must be canonical, because parsers resolve duplicate
 * names differently.
 */
export function readDisclosure(text: string): Disclosure {
  const decoded = Buffer.from(text, 'base64url')
  const parsed = parseCanonical(decoded)
  const [salt, name, value, ...others] = Array.isArray(parsed) ? parsed : []
  if (typeof salt !== 'string' || typeof name !== 'string' || value === undefined || others.length > 0) {
    throw new EntryError('not a disclosure: it must be an array of salt, name and value')
  }
  const bytes = Buffer.from(salt, 'base64url')
  const isEncoded = decoded.toString('base64url') === text && bytes.toString('base64url') === salt
  if (bytes.length !== SALT_LENGTH || isErased(bytes) || !isEncoded) {
    throw new EntryError('not a disclosure: its salt or its encoding is malformed')
  }
  return { salt: bytes, name, value }
}

/** Parses canonical JSON. Throws EntryError if the bytes are not canonical. */
export function parseCanonical(bytes: Uint8Array): Json {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  let value: Json
  let isSame: boolean
  try {
    value = JSON.parse(text) as Json
    isSame = isUtf8(bytes) && isCanonical(text, value)
  } catch (error) {
    throw new EntryError(`not valid JSON, or nested too deeply: ${(error as Error).message}`)
  }
  if (!isSame) throw new EntryError('not canonical JSON')
  return value
}
