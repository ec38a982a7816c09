import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// The text of a token for programs: a prefix and a checksum, by which scanners of leaked secrets know it.

export const TOKEN_PREFIX = 'gst_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The numbers of random digits, and of those of their checksum. */
const [RANDOM, CHECKSUM] = [30, 6]
const FORM = /^gst_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns a new random token, of 178 bits. */
export function newTokenText(): string {
  const random = Array.from({ length: RANDOM }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return `${TOKEN_PREFIX}${random}${checksumOf(random)}`
}

/** Tells whether a text has the form and the checksum of a token. */
export function isTokenText(text: string): boolean {
  const [, random, checksum] = FORM.exec(text) ?? []
  return random !== undefined && checksum === checksumOf(random)
}

/** Returns the hash by which a token is stored: SHA-256 in hexadecimal. A slow hash would not protect 178 random bits better. */
export function hashOfToken(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Returns the CRC-32 (RFC 1952) of the text as six digits of base62. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ''
  for (let index = 0; index < CHECKSUM; index++) {
    digits = DIGITS[rest % DIGITS.length] + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
