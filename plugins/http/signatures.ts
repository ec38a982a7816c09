import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns a function that signs texts with the key: HMAC-SHA-256, in base64url. */
export function signerOf(key: Buffer): (text: string) => string {
  return (text) => createHmac('sha256', key).update(text).digest('base64url')
}

/** Tells whether the given text is the expected signature, in a time that does not depend on how much of it is right. */
export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
