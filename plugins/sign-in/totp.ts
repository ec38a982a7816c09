import { createHmac, timingSafeEqual } from 'node:crypto'

// Codes of an authenticator app (TOTP, RFC 6238): SHA-1, six digits, a new code every thirty seconds. Apps support nothing else reliably.

/** In milliseconds. */
const STEP = 30_000

const DIGITS = 6

/** Returns the code of a step of time. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Returns the step whose code this is: the present one, or a neighbour, since clocks differ and people type slowly. Steps up to
 * `lastStep` do not count. Undefined if it is the code of none.
 */
export function stepOf(secret: Buffer, code: string, lastStep: number): number | undefined {
  const now = Math.floor(Date.now() / STEP)
  const given = Buffer.from(code)
  return [now - 1, now, now + 1].find((step) => {
    const expected = Buffer.from(codeAt(secret, step))
    return step > lastStep && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Returns the address that authenticator apps read. */
export function otpauthUri(issuer: string, login: string, secret: string): string {
  const label = [issuer, login].map(encodeURIComponent).join(':')
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in base32 (RFC 4648) without padding. Their number is a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}
