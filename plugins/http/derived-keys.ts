import { createHmac } from 'node:crypto'

/** Returns a code for the names that only the key makes, and that tells nothing of them. */
export function codeOf(key: Buffer, ...names: string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(names)).digest('base64url')
}

/** Derives a key for one purpose from the secret, so that its signatures are worth nothing for another purpose. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest()
}
