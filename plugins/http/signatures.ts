import { hash, timingSafeEqual } from 'node:crypto'

const BLOCK = 64

/**
 * Returns a function that signs texts with the key of 64 bytes at most: HMAC-SHA-256 (RFC 2104), in base64url. Two calls of
 * `hash` leave nothing behind; an object of `createHmac` has to be finalized by the garbage collector, request by request.
 */
export function signerOf(key: Buffer): (text: string) => string {
  const [inner, outer] = [pad(key, 0x36), pad(key, 0x5c)]
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'latin1')
    return hash('sha256', Buffer.concat([outer, Buffer.from(digest, 'latin1')]), 'base64url')
  }
}

/** Returns a block of the byte, combined with the key. */
function pad(key: Buffer, byte: number) {
  if (key.length > BLOCK) throw new RangeError('the key is longer than a block')
  const block = Buffer.alloc(BLOCK, byte)
  for (const [i, part] of key.entries()) block[i] = part ^ byte
  return block
}

/** Tells whether the given text is the expected signature, in a time that does not depend on how much of it is right. */
export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
