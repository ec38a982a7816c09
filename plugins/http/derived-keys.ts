import { createHmac } from 'node:crypto'

/** Returns an HMAC of the names (RFC 2104), which does not reveal them. */
export function hmacOf(key: Buffer, ...names: string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(names)).digest('base64url')
}

/** Derives a key for one purpose from the secret. Signatures made with it are not valid for any other purpose. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest()
}
