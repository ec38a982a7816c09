import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns a function that signs strings with the key, using HMAC-SHA-256 in base64url. */
export function signerOf(key: Buffer): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/** Returns whether the signature equals the expected one. The comparison takes constant time. */
export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
