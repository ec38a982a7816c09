import { createHmac } from 'node:crypto'

/** Derives a key for one purpose from the secret, so that its signatures are worth nothing for another purpose. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest()
}
