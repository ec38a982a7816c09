import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// The format of API tokens. Their prefix and checksum allow secret scanners to recognize leaked tokens.

export const TOKEN_PREFIX = 'gst_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The number of random characters and the number of checksum characters. */
const [RANDOM, CHECKSUM] = [30, 6]
const FORM = /^gst_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns a new token with 178 random bits. */
export function newTokenText(): string {
  const random = Array.from({ length: RANDOM }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return `${TOKEN_PREFIX}${random}${checksumOf(random)}`
}

/** Returns whether the text has the format and checksum of a token. */
export function isTokenText(text: string): boolean {
  const [, random, checksum] = FORM.exec(text) ?? []
  return random !== undefined && checksum === checksumOf(random)
}

/**
 * Returns the hash under which a token is stored: SHA-256 in hexadecimal. For 178 random bits, a slow hash would add no
 * protection.
 */
export function hashOfToken(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Returns the CRC-32 (RFC 1952) of the text as six base62 digits. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let index = 0; index < CHECKSUM; index++) {
    digits = DIGITS[rest % DIGITS.length] + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
