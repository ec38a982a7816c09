import { createHmac, timingSafeEqual } from 'node:crypto'

// Codes for authenticator apps (TOTP, RFC 6238): SHA-1, six digits, and a new code every 30 seconds. Many apps support nothing
// else.

/** The length of a time step, in milliseconds. */
const STEP = 30_000

const DIGITS = 6

/** Returns the code for a time step. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Returns the time step of the code, or undefined if the code is wrong. Accepts the previous, current and next step, since
 * clocks differ and people type slowly. Rejects steps up to `lastStep`, so that a code works only once.
 */
export function stepOf(secret: Buffer, code: string, lastStep: number): number | undefined {
  const now = Math.floor(Date.now() / STEP)
  const given = Buffer.from(code)
  return [now - 1, now, now + 1].find((step) => {
    const expected = Buffer.from(codeAt(secret, step))
    return step > lastStep && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Returns the URI that authenticator apps read from a QR code. */
export function otpauthUri(issuer: string, login: string, secret: string): string {
  const label = [issuer, login].map(encodeURIComponent).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648) without padding. The number of bytes must be a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}
